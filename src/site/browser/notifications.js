/** Shows the notifications of a subscription, opens their pages, and tells the service where it reaches this browser from now on. */
const worker = /** @type {any} */ (self)

worker.addEventListener('push', (/** @type {any} */ event) => {
  const { title, body, path, tag, manage, silent } = event.data.json()
  // The first message only shows that this browser can be reached.
  if (silent) return
  const actions = [{ action: 'gerer', title: 'Mon abonnement' }]
  event.waitUntil(
    // A correction takes the place of its alerte, and is heard again.
    worker.registration.showNotification(title, {
      body,
      tag,
      renotify: true,
      lang: 'fr',
      data: { path, manage },
      actions,
    }),
  )
})

worker.addEventListener('notificationclick', (/** @type {any} */ event) => {
  const { path, manage } = event.notification.data
  event.notification.close()
  event.waitUntil(worker.clients.openWindow(event.action === 'gerer' ? manage : path))
})

// The push service ends the address of this browser. Not every browser says which one it was.
worker.addEventListener('pushsubscriptionchange', (/** @type {any} */ event) => {
  if (event.oldSubscription) event.waitUntil(move(event.oldSubscription, event.newSubscription))
})

/**
 * @param {PushSubscription} before
 * @param {PushSubscription | null} made
 */
async function move(before, made) {
  const after = made ?? (await worker.registration.pushManager.subscribe(before.options))
  const { endpoint, keys } = after.toJSON()
  const body = new URLSearchParams({ before: before.endpoint, endpoint, ...keys })
  // Nothing else would tell the service later. A browser lets a worker run for a short while only.
  for (const seconds of [0, 2, 8, 15]) {
    await new Promise((done) => setTimeout(done, seconds * 1_000))
    const response = await fetch('/abonnement/appareil/adresse', { method: 'POST', body }).catch(() => null)
    if (response !== null && response.status < 500) return
  }
}
