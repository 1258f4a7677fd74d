from django.db import migrations


def take_decks_away(apps, schema_editor):
    """Take from the editors of ban lists what the first release let them: all decks to look at."""
    group = apps.get_model("auth", "Group").objects.filter(name="Ban list editors").first()
    if group:
        decks = {"content_type__app_label": "decks", "codename": "view_deck"}
        group.permissions.remove(*apps.get_model("auth", "Permission").objects.filter(**decks))


class Migration(migrations.Migration):

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("decks", "0001_initial"),
    ]

    operations = [migrations.RunPython(take_decks_away, migrations.RunPython.noop)]
