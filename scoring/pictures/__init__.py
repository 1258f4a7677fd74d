"""Pictures to share: sets, evenings, seasons and players as PNG, drawn from the pages' charts.

The way of a picture: a view knows its ``Subject`` → ``answers.answer`` looks for the stamp in its
cache → ``drawing.svg`` fills ``templates/pictures/picture.svg`` → ``rendering.png`` has it rendered
by a process of its own.
"""
