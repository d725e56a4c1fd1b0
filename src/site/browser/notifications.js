/** Shows the notifications of a subscription, and opens their pages. */
const worker = /** @type {any} */ (self)

worker.addEventListener('push', (/** @type {any} */ event) => {
  const { title, body, path, tag, manage } = event.data.json()
  const actions = [{ action: 'gerer', title: 'Mon abonnement' }]
  event.waitUntil(
    worker.registration.showNotification(title, { body, tag, lang: 'fr', data: { path, manage }, actions }),
  )
})

worker.addEventListener('notificationclick', (/** @type {any} */ event) => {
  const { path, manage } = event.notification.data
  event.notification.close()
  event.waitUntil(worker.clients.openWindow(event.action === 'gerer' ? manage : path))
})
