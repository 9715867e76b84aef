"""People of the core's tests."""

from casino.core.models import Role, User

PASSWORD = "correct horse battery"


def person(name: str, role: Role | str = Role.PLAYER, **more: object) -> User:
    user = User(username=name.lower(), display_name=name, role=role, **more)
    user.set_password(PASSWORD)
    user.save()
    return user
