"""A line between two network namespaces that takes its time, for bench/ranks.py: every packet waits for those before it, takes as long as
its bytes at the line's rate, and arrives a delay later; each direction is on its own. A TUN device in each namespace is one end, and a
process hands packets over. What the kernel's netem does, where it has none. As root, on Linux.

    with SlowLine(delay_ms=1, megabits=1000) as line:
        subprocess.run(line.inside(0) + ["ping", "-c", "1", line.address(1)])
"""

import collections
import ctypes
import fcntl
import multiprocessing
import os
import select
import struct
import subprocess
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
CLONE_NEWNET = 0x40000000
# Few and large packets: the line's rate is what counts, not how fast this program is.
MTU = 65_000
# Below this the clock of select is not to be trusted, and the end of the wait is spent asking what time it is.
SPIN_SECONDS = 0.0002


def _enter(namespace):
    if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns failed")


def _tun(namespace, name):
    """A new TUN device in a namespace; its packets come from a descriptor that may be used outside."""
    with open("/proc/self/ns/net") as own, open(f"/run/netns/{namespace}") as other:
        _enter(other)
        try:
            end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
            return end
        finally:
            _enter(own)


def _forward(ends, delay, seconds_per_byte):
    under_way = (collections.deque(), collections.deque())  # to either end: when it arrives, and the packet
    free_at = [0.0, 0.0]  # when the line to either end has sent all that it was given
    while True:
        arrivals = [packets[0][0] for packets in under_way if packets]
        wait = max(0, min(arrivals) - time.monotonic()) if arrivals else None
        ready, _, _ = select.select(ends, [], [], wait if wait is None else max(0, wait - SPIN_SECONDS))
        now = time.monotonic()
        for end in ready:
            to = 1 - ends.index(end)
            try:
                packet = os.read(end, MTU + 100)
            except BlockingIOError:
                continue
            free_at[to] = max(free_at[to], now) + len(packet) * seconds_per_byte
            under_way[to].append((free_at[to] + delay, packet))
        for to, packets in enumerate(under_way):
            while packets and packets[0][0] <= time.monotonic():
                os.write(ends[to], packets.popleft()[1])


class SlowLine:
    def __init__(self, delay_ms, megabits):
        self._delay = delay_ms / 1e3
        self._seconds_per_byte = 8 / (megabits * 1e6)
        self._names = [f"conpole-{os.getpid()}-{end}" for end in (0, 1)]

    def address(self, end):
        return f"10.77.0.{end + 1}"

    def inside(self, end):
        """What a command is to begin with to run at that end."""
        return ["ip", "netns", "exec", self._names[end]]

    def __enter__(self):
        ends = []
        try:
            for end, name in enumerate(self._names):
                subprocess.run(["ip", "netns", "add", name], check=True, capture_output=True, text=True)
                ends.append(_tun(name, "line"))
                for command in (
                    ["addr", "add", f"{self.address(end)}/30", "dev", "line"],
                    ["link", "set", "line", "mtu", str(MTU), "up"],
                    ["link", "set", "lo", "up"],
                ):
                    subprocess.run(["ip", "-n", name, *command], check=True, capture_output=True, text=True)
        except (subprocess.CalledProcessError, OSError) as error:
            self._remove()
            raise OSError(f"no namespaces here: {getattr(error, 'stderr', None) or error}") from error
        self._line = multiprocessing.get_context("fork").Process(
            target=_forward, args=(ends, self._delay, self._seconds_per_byte), daemon=True
        )
        self._line.start()
        for end in ends:
            os.close(end)
        return self

    def __exit__(self, *_):
        self._line.terminate()
        self._line.join()
        self._remove()

    def _remove(self):
        for name in self._names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
