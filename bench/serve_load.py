"""How a polite client fares while others ask for too much: what `conpole serve` does under load, on this machine alone.

Usage: serve_load.py [--seconds N] [--files N] [--steady N] PROGRAM...

For each program, in turn: it is started as a server, and then
  1. one client checks lines, first alone, then while 40 others, each from an address of its own, ask for solutions that take 30 s:
     how long a check takes;
  2. 300 clients ask for such solutions and leave: how long until nothing waits and nothing runs;
  3. one address opens 1,000 connections and sends half a request on each, while a client of another address makes a new
     connection for every check: how long that takes, connection and all.
Each part ends after --seconds (15), whatever was reached by then. --files is the server's limit of open files (ulimit -n).
With --steady N there is only this: 64 connections ask for all kinds of things, ever other problems, for N seconds: how many
answers, how many that were none, and the server's memory on the way.
Uses addresses in 127.0.0.0/8, which Linux has, and nothing else.
"""

import argparse
import json
import resource
import socket
import subprocess
import threading
import time

SOLVE = {"problem": "R U R' U' F D2 B L R U F", "milliseconds": 30000}
CHECK = {"problem": "2x + 3 = 7", "lines": ["2x = 4", "x = 2"]}


def request(path, body=None):
    data = b"" if body is None else json.dumps(body).encode()
    method = "GET" if body is None else "POST"
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
    return head.encode() + b"\r\n" + data


class Client:
    def __init__(self, port, address="127.0.0.1", timeout=60):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout, (address, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data):
        self.socket.sendall(data)

    def receive(self):
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.socket.recv(65536)
            if not more:
                raise ConnectionError("the server ended the connection")
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
        while len(body) < length:
            body += self.socket.recv(65536)
        return int(head.split(b" ")[1]), body

    def ask(self, path, body=None):
        self.send(request(path, body))
        return self.receive()

    def close(self):
        self.socket.close()


class Server:
    def __init__(self, program, files):
        limit = None if files is None else (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)))
        command = [program, "serve", "--port", "0", "--no-page", "--log", "off"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=limit)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1].strip().rstrip("/"))

    def __enter__(self):
        # What a first answer needs once.
        for path, body in (("/v1/check", CHECK), ("/v1/hint", {"line": "R U"})):
            client = Client(self.port)
            client.ask(path, body)
            client.close()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def gauge(self, name):
        client = Client(self.port)
        _, body = client.ask("/metrics")
        client.close()
        return next(int(line.split()[1]) for line in body.decode().splitlines() if line.startswith(name + " "))

    def resident_megabytes(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS:"))

    def at_work(self):
        return self.gauge("conpole_queue_length") + self.gauge("conpole_requests_running")


def address(group, i):
    return f"127.0.{group}.{i + 1}"


def measure(ask, seconds, most=1000):
    """The times of calls, in milliseconds, and how many failed."""
    times, failures = [], 0
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(times) + failures < most:
        start = time.monotonic()
        try:
            status = ask(max(0.1, end - start))
        except OSError:
            status = 0
        times.append(1000 * (time.monotonic() - start))
        failures += status != 200
        time.sleep(0.005)
    return times, failures


def told(times, failures):
    times = sorted(times)
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
    return f"{len(times)} asked, {failures} not answered, median {at(0.5):.1f} ms, p99 {at(0.99):.1f} ms, longest {times[-1]:.1f} ms"


def live_solves(server, seconds):
    polite = Client(server.port)

    def ask(timeout):
        polite.socket.settimeout(timeout)
        return polite.ask("/v1/check", CHECK)[0]

    print("  check alone, as the machine is:    ", told(*measure(ask, seconds)), flush=True)
    greedy = [Client(server.port, address(1, i)) for i in range(40)]
    for client in greedy:
        client.send(request("/v1/solve", SOLVE))
    while server.at_work() < 40:
        time.sleep(0.01)
    print("  check while 40 others solve:      ", told(*measure(ask, seconds)), flush=True)
    for client in greedy:
        client.close()


def abandoned(server, seconds):
    gone = [Client(server.port, address(2, i % 40)) for i in range(300)]
    for client in gone:
        client.send(request("/v1/solve", SOLVE))
    before = 0
    while (now := server.at_work()) > before:
        before = now
        time.sleep(0.5)
    start = time.monotonic()
    for client in gone:
        client.close()
    while (left := server.at_work()) > 0 and time.monotonic() - start < seconds:
        time.sleep(0.01)
    print(f"  300 abandoned solves:              {before} at work, {left} after {time.monotonic() - start:.2f} s", flush=True)


def slow_connections(server, seconds):
    slow = []
    for _ in range(1000):
        try:
            slow.append(Client(server.port, "127.0.3.1", timeout=1))
            slow[-1].send(b"POST /v1/check HTTP/1.1\r\nHost")
        except OSError:
            break

    def ask(timeout):
        client = Client(server.port, timeout=timeout)
        try:
            return client.ask("/v1/check", CHECK)[0]
        finally:
            client.close()

    print(f"  check beside {len(slow)} slow connections: ", told(*measure(ask, seconds)), flush=True)
    for client in slow:
        client.close()


def asked_steadily(i):
    problem = f"{i % 89 + 2}x + {i % 97 + 1} = {i % 101 + 3}"
    return (
        ("/v1/check", {"problem": problem, "lines": [f"{i % 89 + 2}x = {i % 101 + 3 - i % 97 - 1}"]}),
        ("/v1/next", {"line": problem}),
        ("/v1/read", {"text": problem}),
        ("/v1/hint", {"line": problem, "level": i % 3 + 1}),
        ("/v1/solve", {"problem": problem}),
        ("/v1/exercise", {"skill": "brackets", "level": 1, "seed": i}),
    )[i % 6]


def steady(server, seconds, connections=64):
    counts, failures, end = [0] * connections, [], time.monotonic() + seconds

    def work(number):
        # Addresses of their own: a connection is a client here.
        client = Client(server.port, address(4, number))
        while time.monotonic() < end:
            path, body = asked_steadily(number + connections * counts[number])
            try:
                status, answer = client.ask(path, body)
                if status != 200:
                    failures.append(f"{path}: {status} {answer[:200]!r}")
            except OSError as error:
                failures.append(f"{path}: {error}")
                client = Client(server.port, address(4, number))
            counts[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(connections)]
    for thread in threads:
        thread.start()
    memory = []
    for part in range(1, 7):
        time.sleep(max(0, end - seconds * (6 - part) / 6 - time.monotonic()))
        memory.append(f"{server.resident_megabytes():.0f}")
    for thread in threads:
        thread.join()
    print(f"  {connections} connections, {seconds:.0f} s: {sum(counts)} answers, {len(failures)} failed; MB after each sixth: {', '.join(memory)}")
    for failure in failures[:5]:
        print("   ", failure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--files", type=int)
    parser.add_argument("--steady", type=float)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard) if hard > 0 else 4096, hard))
    for program in options.programs:
        print(program)
        if options.steady is not None:
            with Server(program, options.files) as server:
                steady(server, options.steady)
            continue
        for part in (live_solves, abandoned, slow_connections):
            with Server(program, options.files) as server:
                part(server, options.seconds)


main()
