from pathlib import Path
from typing import ClassVar

from django.db import migrations

SQL = Path(__file__).with_suffix(".sql").read_text()


class Migration(migrations.Migration):
    """Apart from 0001: Django's own tables that refer to users exist only after it."""

    dependencies: ClassVar = [
        ("core", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("sessions", "0001_initial"),
        ("admin", "0003_logentry_add_action_flag_choices"),
    ]

    operations: ClassVar = [migrations.RunSQL(SQL, migrations.RunSQL.noop)]
