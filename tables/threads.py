"""The four threads in which a web process's sockets talk to the database.

Each thread keeps its connection, closes it after an error of the connection itself and after ten
minutes (plans go stale), and then tries once more: every call made here may be made twice.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, connection
from psycopg.errors import LockNotAvailable

THREADS = 4
CONNECTION_AGE_S = 600

T = TypeVar("T")
_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="sockets")
_local = threading.local()


async def in_thread(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Run a synchronous service or selector without blocking the event loop.

    The work is finished even if the caller is cancelled meanwhile. One future instead of the four
    of a shielded run_in_executor: this is done for every action.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    _executor.submit(_answered, loop, done, function, args, kwargs)
    return await done


def _answered(
    loop: asyncio.AbstractEventLoop,
    done: "asyncio.Future[T]",
    function: Callable[..., T],
    args: Any,
    kwargs: Any,
) -> None:
    try:
        result = _run(function, args, kwargs)
    except BaseException as error:
        loop.call_soon_threadsafe(_told, done, done.set_exception, error)
    else:
        loop.call_soon_threadsafe(_told, done, done.set_result, result)


def _told(done: "asyncio.Future[T]", tell: Callable[[Any], None], what: Any) -> None:
    if not done.done():  # its caller still waits
        tell(what)


def _run(function: Callable[..., T], args: Any, kwargs: Any) -> T:
    born = getattr(_local, "born", None)
    if born is not None and time.monotonic() - born > CONNECTION_AGE_S:
        connection.close()
        born = None
    if born is None:
        _local.born = time.monotonic()
    try:
        return function(*args, **kwargs)
    except (OperationalError, InterfaceError) as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise  # the connection is well, the table is busy
        connection.close()
        _local.born = time.monotonic()
        return function(*args, **kwargs)
