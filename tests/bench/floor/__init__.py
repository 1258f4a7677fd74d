"""The frozen floor: a bare Django site, served as ours was on 2026-11-22. It never gets better.

    python -m tests.bench.floor PORT        on the database of DATABASE_URL

It imports nothing of ours. POST /insert/ inserts one row of a tap's id and an amount, in
autocommit, and answers eight bytes; GET /page/ answers a bare page of 77 bytes, without the
database. There is no middleware: no session, no CSRF, no compression, no headers but Django's. A
connection to the database lasts for 60 seconds and is checked before each request, as ours is;
SQLite is a file in WAL mode with synchronous=NORMAL that queues writers at BEGIN. The server is
uvicorn with h11 on asyncio's own loop, and a2wsgi with four threads.

So a hit divided by this floor is the price of all that is ours: server, middleware, rules, page.
"""
