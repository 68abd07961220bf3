"""Every click is heard: the kernel answers through the stream on which it listens.

ipykernel 7.0 to 7.3 reads the messages of a page through a stream on its shell socket, but writes
its replies past that stream. A click, or the next cell, that arrives while a reply is written, say
at the moment at which a cell ends, then lies unread, and so does all after it, until the page
connects anew (https://github.com/ipython/ipykernel/issues/1554). Version 7.4 answers through the
stream, and so do these after `hear_every_click`; older ones always did.
"""

from __future__ import annotations

from typing import Any


def hear_every_click(shell: Any) -> None:
    """Let the kernel of this IPython answer through its stream; nothing to do for most versions."""
    kernel = getattr(shell, "kernel", None)
    manager: Any = getattr(getattr(kernel, "shell_channel_thread", None), "_manager", None)
    stream = getattr(kernel, "shell_stream", None)
    if stream is not None and hasattr(manager, "_shell_socket"):
        manager._shell_socket = stream  # has the one method that is used: send_multipart
