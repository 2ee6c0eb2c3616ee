'use strict';
// Everything works without this script. It shows new events, and reads a view again when something
// happened. Text from the hub reaches the page through textContent alone.
(() => {
  const longestList = 500;
  const longestText = 2000;
  const pause = 2000;
  let source, last, timer;
  let waiting = [];

  const main = () => document.getElementById('main');

  // The form in which a terminal shows characters that hide or reorder others.
  const visible = (text) => String(text).slice(0, longestText).replace(/[\r\n\t]+/g, ' ').replace(
    /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d\u00ad])\p{Cf}/gu,
    (one) => `<U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}>`);

  const words = (event) => {
    switch (event.type) {
      case 'traceEvent': return [event.name, event.phase];
      case 'metric': return [event.scope, event.name, event.value];
      case 'approvalGate': return [event.status, event.summary];
      case 'control': return [event.action, event.outcome, event.actor, event.reason];
      case 'suppressed': return [event.count, 'suppressed'];
      case 'gap': return ['events are missing:', event.reason];
      default: return [event.message ?? event.summary ?? event.explanation ?? ''];
    }
  };

  // A text of at most the given number of characters.
  const cut = (text, most) => {
    const characters = [...text];
    return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
  };

  const types = {traceEvent: 'trace', approvalGate: 'gate'};

  const part = (text, look) => {
    const span = document.createElement('span');
    span.className = look;
    span.textContent = text;
    return span;
  };

  const looks = {warn: 'warning', error: 'bad', critical: 'urgent', info: 'good', debug: 'faint'};

  // The records that a hub makes about what happened elsewhere.
  const ofHub = ['alert', 'control', 'gap', 'suppressed'];

  // The machine of an event; nothing while all events of the list come from one.
  const machine = (list, event) => {
    const host = event.host ?? (ofHub.includes(event.type) ? undefined : list.dataset.host ?? '-');
    if (host !== undefined && (list.dataset.hosts ??= host) !== host) list.dataset.hosts = '';
    return list.dataset.hosts === '' ? [part(`${cut(visible(host ?? '-'), 16).padEnd(16)}  `, 'faint')] : [];
  };

  const line = (list, event) => {
    const item = document.createElement('li');
    const time = Number.isFinite(event.ts) ? new Date(event.ts).toISOString().slice(11, 19) : '-';
    const text = words(event).filter((word) => word !== undefined && word !== null).map(visible);
    item.append(
      part(`${time}  `, 'faint'),
      part(`${visible(event.level ?? types[event.type] ?? event.type).padEnd(8)}  `, looks[event.level] ?? 'accent'),
      part(`${cut(visible(event.agentId ?? '-'), 24).padEnd(24)}  `, 'plain'),
      ...machine(list, event),
      part(text.join(' '), 'plain'));
    return item;
  };

  // The list in place of the sentence that there are no events.
  const newList = () => {
    const list = document.createElement('ol');
    const {host} = main().lastElementChild.dataset;
    if (host) list.dataset.host = host;
    list.className = 'events';
    list.tabIndex = 0;
    list.setAttribute('aria-label', 'Events');
    main().lastElementChild.replaceWith(list);
    return list;
  };

  const drawEvents = () => {
    if (!waiting.length) return;
    const list = document.querySelector('ol.events') ?? newList();
    const lines = waiting.splice(0).slice(-longestList).map((event) => line(list, event));
    const follows = isFollowed(list);
    list.append(...lines);
    while (list.childElementCount > longestList) list.firstElementChild.remove();
    if (follows) list.scrollTop = list.scrollHeight;
  };

  // A person who writes, has the focus in a form or selects text is not disturbed.
  const isBusy = () => main().querySelector('form :focus') || !getSelection().isCollapsed ||
    [...main().querySelectorAll('form:not(.filter) :is(textarea, input:not([type=hidden]))')].some((one) => one.value);

  const isFollowed = (list) => list.scrollTop + list.clientHeight >= list.scrollHeight - 8;

  // Scrolls a list of events to the newest.
  const showEnd = () => {
    const list = document.querySelector('ol.events');
    if (list) list.scrollTop = list.scrollHeight;
  };

  // Gives the focus to the element that replaced the given one.
  const focusAgain = (old) => {
    const likely = [...main().querySelectorAll(old.localName)];
    likely.find((one) => one.href === old.href && one.className === old.className)?.focus({preventScroll: true});
  };

  // The outcome of a control may come without an event.
  const poll = () => {
    if (main().dataset.live === 'outcome') timer ??= setTimeout(act, pause);
  };

  const readAgain = () => {
    if (document.hidden) return;
    if (isBusy()) {
      timer ??= setTimeout(act, pause);
      return;
    }
    const request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.responseType = 'document';
    request.onloadend = poll;
    request.onload = () => {
      const fresh = request.response?.getElementById('main');
      if (!fresh || isBusy()) {
        timer ??= setTimeout(act, pause);
        return;
      }
      if (request.status !== 200) return location.reload();
      const events = main().querySelector('ol.events');
      const top = events?.scrollTop;
      const isAtEnd = !events || isFollowed(events);
      const focus = main().contains(document.activeElement) && document.activeElement;
      main().replaceWith(document.adoptNode(fresh));
      if (isAtEnd) showEnd(); else main().querySelector('ol.events')?.scrollTo(0, top);
      if (focus) focusAgain(focus);
    };
    request.send();
  };

  const act = () => {
    timer = undefined;
    if (main().dataset.live === 'events') drawEvents(); else readAgain();
  };

  const follow = () => {
    source?.close();
    const kind = main().dataset.live;
    last ??= main().dataset.last;
    if (!kind || document.hidden) return;
    if (kind === 'outcome') return poll();
    const query = new URLSearchParams({maxEventsPerSecond: kind === 'events' ? '100' : '5'});
    const types = kind === 'view' ? ['approvals', 'alerts', 'controls', 'traceEvents'] : [];
    for (const type of types) query.append('include', type);
    if (last) query.set('lastEventId', last);
    for (const [name, value] of kind === 'events' ? new URLSearchParams(location.search) : []) {
      if (['severityGte', 'agentIds', 'text'].includes(name) && value.trim()) query.set(name, value.trim());
    }
    // The hub reads a plus sign in a query as itself.
    source = new EventSource(`/page/stream?${query.toString().replaceAll('+', '%20')}`);
    source.onmessage = (message) => {
      last = message.lastEventId || last;
      if (kind === 'events') {
        try { waiting.push(JSON.parse(message.data)); } catch { return; }
        if (waiting.length > longestList) waiting.shift();
      }
      timer ??= setTimeout(act, kind === 'events' ? 100 : pause);
    };
    // Where the hub refuses the stream, the browser does not ask again: its access may have ended.
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => { readAgain(); follow(); }, pause);
    };
  };

  document.addEventListener('visibilitychange', () => {
    source?.close();
    if (document.hidden) return;
    if (main().dataset.live === 'view') readAgain();
    follow();
  });
  addEventListener('pagehide', () => source?.close());
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    if (document.querySelector('form button:disabled')) location.reload(); else follow();
  });

  // A form is sent once: the hub answers a control when its outcome is known.
  document.addEventListener('submit', ({target, submitter}) => {
    if (target.method !== 'post' || !submitter) return;
    // The browser first gathers the fields, with that of the button.
    setTimeout(() => {
      submitter.textContent = 'Waiting…';
      for (const one of target.querySelectorAll('button')) one.disabled = true;
    });
  });

  // Notifications, on the view of this device.

  const state = document.getElementById('notify-state');
  const button = document.getElementById('notify');

  // The reason why this browser cannot be notified, or nothing.
  const obstacle = () => {
    if (!window.isSecureContext) return 'Notifications need https, or a page of this machine.';
    if (!('serviceWorker' in navigator)) return 'This browser cannot be notified.';
    if (!('PushManager' in window) || !('Notification' in window)) {
      return 'This browser cannot be notified here. On an iPhone, add this page to the home screen first.';
    }
    if (Notification.permission === 'denied') return 'Notifications of this page are blocked in the browser’s settings.';
    return undefined;
  };

  const store = async (subscription) => {
    const {token} = await known();
    const body = new URLSearchParams({token, subscription: subscription ? JSON.stringify(subscription) : ''});
    const answer = await fetch('/page/push', {method: 'POST', body, redirect: 'manual'});
    if (answer.type !== 'opaqueredirect') throw new Error(`the hub answers ${answer.status}`);
  };

  const urls = window.trustedTypes?.createPolicy('page', {createScriptURL: () => '/page/worker.js'});

  // The key of the sender, the token of forms, and whether the hub has a subscription.
  const known = async () => {
    const answer = await fetch('/page/push.json');
    if (answer.status === 404) throw new Error('this hub has no key for notifications');
    if (!answer.ok) throw new Error(`the hub answers ${answer.status}`);
    return answer.json();
  };

  const isFor = (subscription, key) => {
    const own = String.fromCharCode(...new Uint8Array(subscription.options.applicationServerKey ?? []));
    return btoa(own).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key;
  };

  const showNotify = async () => {
    const reason = obstacle();
    const worker = reason ? undefined : await navigator.serviceWorker.getRegistration('/page/');
    let subscription = await worker?.pushManager.getSubscription();
    if (subscription) {
      const {key, isStored} = await known();
      if (!isFor(subscription, key)) {
        await subscription.unsubscribe();
        subscription = undefined;
      } else if (!isStored) await store(subscription);
    }
    state.textContent = reason ?? (subscription ? 'This browser is notified.' : 'This browser is not notified.');
    button.hidden = Boolean(reason);
    button.textContent = subscription ? 'Stop' : 'Notify me';
    button.onclick = async () => {
      button.disabled = true;
      try {
        if (subscription) {
          await store();
          await subscription.unsubscribe();
        } else {
          if (await Notification.requestPermission() !== 'granted') throw new Error('they were not allowed');
          const {key} = await known();
          await navigator.serviceWorker.register(urls?.createScriptURL('') ?? '/page/worker.js');
          const ready = await navigator.serviceWorker.ready;
          await store(await ready.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: key}));
        }
        await showNotify();
      } catch (error) {
        state.textContent = `This browser cannot be notified: ${error.message}`;
      }
      button.disabled = false;
    };
  };

  if (button) showNotify().catch((error) => { state.textContent = `This browser cannot be notified: ${error.message}`; });

  showEnd();
  follow();
})();
