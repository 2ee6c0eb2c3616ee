"""What happens to a hub while devices pair: guesses, races, kills."""

import collections
import http.client
import json
import os
import random
import statistics
import threading
import time

from companion import Host, address, is_failure, opaque_key, told
import hub as hubs

COMPARED = "pairing_codes_compared_total"


class Guesser(threading.Thread):
    """Tries wrong codes as fast as it can, from ever other addresses."""

    def __init__(self, host):
        super().__init__(daemon=True)
        self.host, self.is_over = host, False
        self.addresses, self.answers = set(), collections.Counter()

    def run(self):
        while not self.is_over:
            source = address()
            self.addresses.add(source)
            connection = self.host.hub.connection(source=source)
            try:
                for _ in range(5):
                    guess = f"{random.randrange(1_000_000):06}"
                    if guess not in self.host.codes:
                        status, answer = self.host.complete(guess, connection=connection)
                        self.answers[status, told(answer), is_failure(answer)] += 1
            finally:
                connection.close()


def guesses(checks, sizes):
    """Of all the codes that are tried, from many addresses, five are looked at; the QR code pairs."""
    host = Host()
    host.open_code()
    guessers = [Guesser(host) for _ in range(8)]
    began = time.monotonic()
    for guesser in guessers:
        guesser.start()
    time.sleep(sizes.guessing)
    hubs.wait_until("five codes were looked at", lambda: host.hub.metric(COMPARED) >= 5)
    before = sum((guesser.answers for guesser in guessers), collections.Counter())
    paired = 0
    for _ in range(10):
        status, answer = host.complete(*host.open_code())
        paired += checks.check(status == 200, f"the QR code is answered with {status}: {answer}")
    for guesser in guessers:
        guesser.is_over = True
    for guesser in guessers:
        guesser.join()
    answers = sum((guesser.answers for guesser in guessers), collections.Counter())
    wrong = answers.pop((400, "PairingCodeInvalid", True), 0)
    checks.check(wrong == 5, f"{wrong} wrong codes were told to be wrong")
    compared = host.hub.metric(COMPARED)
    checks.check(compared == 5, f"{compared} codes were compared")
    others = set(before) - {(429, "RateLimited", True), (400, "PairingCodeInvalid", True)}
    checks.check(not others, f"codes were answered with {others}")
    # Between two codes none is open.
    others = set(answers) - {(429, "RateLimited", True), (410, "PairingCodeExpired", True)}
    checks.check(not others, f"beside the QR code, codes were answered with {others}")
    spent = time.monotonic() - began
    count = wrong + sum(answers.values())
    after = count_after_kill(checks, host)
    sources = len(set().union(*(guesser.addresses for guesser in guessers)))
    host.hub.stop()
    return host, (
        f"{count} codes from {sources} addresses, {count / spent:.0f} a second: {compared:.0f} "
        f"compared, {paired} of 10 QR codes paired; {after}")


def count_after_kill(checks, host):
    """A hub that was killed has no code open, and looks at none."""
    open_code = host.open_code()
    host.hub.kill()
    host.hub.start()
    for code in (open_code[0], f"{random.randrange(1_000_000):06}"):
        status, answer = host.complete(code)
        checks.check(status in (410, 429), f"after a kill a code is answered with {status}: {answer}")
    status, answer = host.complete(*open_code)
    checks.check(status == 410, f"after a kill the QR code before is answered with {status}: {answer}")
    code, token = host.open_code()
    status, answer = host.complete(code)
    checks.check(
        status == 429, f"after a kill the digits of a new code are answered with {status}: {answer}")
    for _ in range(20):
        status, _ = host.complete(f"{random.randrange(1_000_000):06}")
        checks.check(status == 429, f"after a kill a code is answered with {status}")
    status, answer = host.complete(code, token[::-1])
    checks.check(status == 400, f"another token is answered with {status}: {answer}")
    status, answer = host.complete(code, token)
    checks.check(status == 200, f"after a kill a new QR code is answered with {status}: {answer}")
    compared = host.hub.metric(COMPARED)
    checks.check(compared == 0, f"after a kill {compared} codes were compared")
    return f"after SIGKILL {compared:.0f} compared, a new QR code paired"


def races(checks, sizes):
    """Of two that complete at once with the same code, one pairs; by the digits, and by QR code."""
    host = Host()
    known, both = set(host.devices()), 0
    for number in range(sizes.races):
        code, token = host.open_code()
        start, answers = threading.Barrier(2), []

        def complete():
            connection = host.hub.connection(source=address())
            connection.connect()
            start.wait()
            answers.append(host.complete(code, token if number % 2 else None, connection=connection))
            connection.close()

        threads = [threading.Thread(target=complete) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        statuses = sorted(status for status, _ in answers)
        both += checks.check(statuses == [200, 409], f"race {number} is answered with {answers}")
        devices = set(host.devices())
        new = devices - known
        winners = {
            answer["connectedDevice"]["id"] for status, answer in answers if status == 200}
        checks.check(
            len(new) == 1 and new == winners and known <= devices,
            f"race {number} was won by {winners}, and brought {new}")
        checks.check(
            all(told(answer) == "Conflict" and is_failure(answer)
                for status, answer in answers if status == 409), f"race {number}: {answers}")
        known = devices
    host.hub.stop()
    return host, f"{both} of {sizes.races} races have one winner, one 409 and one device more"


def kills(checks, sizes):
    """A hub is killed about when it has paired a device, and the device repeats what it asked."""
    host = Host()
    spent = []
    for _ in range(5):
        code, token = host.open_code()
        began = time.monotonic()
        host.complete(code, token)
        spent.append(time.monotonic() - began)
    usual, ends = statistics.median(spent), collections.Counter()
    for number in range(10 * sizes.kills):
        if number >= sizes.kills and ends["stored, not answered"]:
            break
        ends[killed_pairing(checks, host, number, usual)] += 1
    host.hub.stop()
    checks.check(ends["stored, not answered"] > 0, f"no kill was in between: {ends}")
    return host, ", ".join(f"{ends[end]} {end}" for end in sorted(ends))


def killed_pairing(checks, host, number, usual):
    known = set(host.devices())
    code, token = host.open_code()
    key, source = opaque_key(), address()
    connection = host.hub.connection(source=source)
    connection.connect()
    log = host.scratch.path / "home/data/store.db-wal"
    written = os.stat(log).st_mtime_ns if log.exists() else 0
    began = time.monotonic()
    body = {
        "pairingCode": code, "pairingToken": token, "deviceName": "phone", "devicePublicKey": key}
    connection.request("POST", "/companion/pairing/complete", json.dumps(body), {
        "Content-Type": "application/json"})
    if number % 2:
        # When the store is written, and a little later.
        while os.stat(log).st_mtime_ns == written and time.monotonic() < began + 5:
            pass
        limit = time.monotonic() + random.uniform(0, 0.3) * usual
    else:
        limit = began + random.uniform(0, 1.5) * usual
    while time.monotonic() < limit:
        pass
    host.hub.kill()
    try:
        answer = connection.getresponse()
        is_answered = answer.status == 200 and bool(answer.read())
    except (OSError, http.client.HTTPException):
        is_answered = False
    connection.close()
    host.hub.start()
    new = set(host.devices()) - known
    checks.check(len(new) < 2, f"kill {number}: {new} were paired")
    checks.check(new or not is_answered, f"kill {number}: what was told to be paired is gone")
    status, other = host.complete(code, token)
    checks.check(
        (status, told(other)) == (410, "PairingCodeExpired"),
        f"kill {number}: another key is answered with {status}, {other}")
    status, same = host.complete(code, token, key, source)
    if new:
        right = status == 200 and {same["connectedDevice"]["id"]} == new
    else:
        right = (status, told(same)) == (410, "PairingCodeExpired")
    checks.check(right, f"kill {number}: {new} paired, and is answered with {status}, {same}")
    checks.check(
        set(host.devices()) - known == new, f"kill {number}: more devices than {new} are there")
    if not new:
        return "not stored"
    return "stored and answered" if is_answered else "stored, not answered"


CASES = guesses, races, kills
