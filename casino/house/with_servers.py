"""`python -m casino.house.with_servers COMMAND...`: run a command on throw-away servers."""

import os
import subprocess
import sys

from casino.house.servers import temporary_servers


def main(command: list[str]) -> int:
    with temporary_servers() as servers:
        environment = {**os.environ, **servers.environment(), "CROUPIER_ENV": "test"}
        environment["CROUPIER_DATA"] = str(servers.postgres.place.house)
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
