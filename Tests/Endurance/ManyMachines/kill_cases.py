"""Hubs are killed by SIGKILL under load from agents at both; see many-machines.sh."""

import random
import time

from judging import (
    judge_decisions, judge_gates, judge_order, judge_senders, judge_steerer, judge_subscriber, judge_usage)
from load import Decider, Reader, Sender, Steerer, Subscriber, number


class Load:
    """Everything that loads both hubs, and its judgement."""

    def __init__(self, machines, name):
        self.machines = machines
        last = machines.hubs[0].ask("GET", "/v1/events?last=1")[1].get("lastId")
        self.readers = [Reader(hub, last) for hub in machines.hubs]
        self.senders = [
            Sender(machines, f"{name}-{hub.host.name}-{index}", hub) for hub in machines.hubs for index in range(2)]
        self.deciders = [Decider(machines)]
        self.steerers = [Steerer(machines, f"{name}-steered-{hub.host.name}", hub) for hub in machines.hubs]
        self.subscribers = [Subscriber(machines, hub) for hub in machines.hubs]
        self.workers = [*self.senders, *self.deciders, *self.steerers, *self.subscribers]
        for worker in self.workers:
            worker.start()

    def end(self):
        """Ends the load, once all that was begun was answered."""
        for worker in (*self.senders, *self.deciders, *self.steerers):
            worker.end()
        for worker in (*self.senders, *self.deciders, *self.steerers):
            worker.join(900)
        for steerer in self.steerers:
            steerer.finish()

    def judge(self, checks):
        """Ends the load, and judges what is in the database and at both hubs."""
        self.end()
        for worker in self.workers:
            if not isinstance(worker, Subscriber):
                checks.check(not worker.is_alive(), f"{type(worker).__name__} is never answered")
        for reader in self.readers:
            reader.read()
            judge_order(checks, reader.hub.host.name, [event["id"] for event in reader.events])
            checks.check(not reader.gaps, f"{reader.hub.host.name}: gaps: {reader.gaps[:2]}")
            judge_senders(checks, reader.hub.host.name, reader.events, self.senders)
        shortest = min(len(reader.events) for reader in self.readers)
        checks.check(
            self.readers[0].events[:shortest] == self.readers[1].events[:shortest],
            "the hubs serve different events")
        last = max((reader.last for reader in self.readers), key=number)
        for subscriber in self.subscribers:
            subscriber.wait(last)
            checks.check(
                subscriber.last and number(subscriber.last) >= number(last),
                f"a subscriber read up to {subscriber.last}, not {last}")
            judge_subscriber(checks, subscriber)
        outcomes = [
            judge_steerer(checks, self.readers[0].events, steerer, self.machines.database)
            for steerer in self.steerers]
        judge_gates(checks, self.readers[0].events)
        judge_decisions(checks, self.deciders, self.machines.database)
        judge_usage(checks, self.machines, self.senders)
        return outcomes

    def tell(self, outcomes):
        print(
            f"  {sum(sender.count for sender in self.senders)} events in"
            f" {sum(len(sender.acknowledged) for sender in self.senders)} batches,"
            f" {sum(len(decider.decided) for decider in self.deciders)} gates,"
            f" {sum(len(steerer.requests) for steerer in self.steerers)} controls"
            f" ({', '.join(str(dict(found)) for found in outcomes)}),"
            f" {sum(subscriber.returns for subscriber in self.subscribers)} returns of subscribers", flush=True)


def judge_survivor(checks, load, hub):
    """All that was acknowledged, by whichever hub, is read at the hub that lives."""
    known = {sender: list(sender.acknowledged) for sender in load.senders}
    reader = load.readers[load.machines.hubs.index(hub)]
    reader.read()
    ids = {event["id"] for event in reader.events}
    for sender, acknowledged in known.items():
        lost = [last for last in acknowledged if last not in ids]
        checks.check(not lost, f"{hub.host.name} does not have {lost[:3]} of {sender.name}, which were acknowledged")


def run(checks, machines, rounds):
    load = Load(machines, "kill")
    for _ in range(rounds):
        time.sleep(random.uniform(0.3, 1.5))
        victim = machines.any()
        victim.kill()
        judge_survivor(checks, load, machines.other(victim))
        time.sleep(random.uniform(0, 0.5))
        victim.start()
        time.sleep(0.3)
        for hub in machines.hubs:
            checks.check(hub.process.poll() is None, f"{hub.host.name} ended")
    load.tell(load.judge(checks))
