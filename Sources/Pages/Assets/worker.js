'use strict';
// Shows push messages, opens the view that a tapped one is about, and stores renewed subscriptions.

self.addEventListener('push', (event) => {
  let shown = {};
  try { shown = event.data.json().notification; } catch { /* A message without text. */ }
  event.waitUntil(self.registration.showNotification(shown.title || 'agentpipes', {
    body: shown.body || '', tag: shown.tag, icon: '/page/icon.svg', data: {url: shown.navigate || '/page'},
  }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, self.location.href);
  event.waitUntil((async () => {
    if (url.origin === self.location.origin) {
      // No worker controls the overview, which is outside the scope, nor a page that was open before the worker.
      const open = await self.clients.matchAll({type: 'window', includeUncontrolled: true});
      for (const one of open) {
        if (one.url === url.href) return one.focus();
      }
    }
    return self.clients.openWindow(url.href);
  })());
});

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil((async () => {
    const {key, token} = await (await fetch('/page/push.json')).json();
    const fresh = await self.registration.pushManager.subscribe(
      {userVisibleOnly: true, applicationServerKey: key});
    const body = new URLSearchParams({token, subscription: JSON.stringify(fresh)});
    await fetch('/page/push', {method: 'POST', body, redirect: 'manual'});
  })());
});
