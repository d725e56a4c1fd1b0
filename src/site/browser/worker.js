/**
 * The worker of the site. Shows the notifications of a subscription, opens their pages, and tells the service where it reaches
 * this browser from now on. Without a connection, shows the copy of a commune that `hors-connexion.js` keeps. It is registered
 * for `/site/` by who subscribes, and for `/` by who opens a commune: a subscription belongs to its registration, so it stays.
 */
const worker = /** @type {any} */ (self)
/** What it shows without a connection: the service puts it before this file. */
const { files, headers, page, copy, notice, dated, justNow } = worker.offline

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

/** Cache of the look of the page that says that there is no connection. */
const look = 'apparence'
/** Caches of copies: this, then the address of the page. */
const prefix = 'copie '
/** What needs a connection, and a screen of a town hall, which the browser itself loads again once there is one. */
const elsewhere = /^\/(?:api|backoffice|docs)(?:\/|$)|^\/communes\/[^/]+\/ecran$/
/** The page of a commune, whose slug may be `collectes` too. */
const home = /^\/communes\/[^/]+$/

worker.addEventListener('install', (/** @type {any} */ event) => {
  worker.skipWaiting()
  event.waitUntil(caches.open(look).then((cache) => cache.addAll(files)))
})

worker.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(Promise.all([worker.clients.claim(), removeFormerLook()]))
})

async function removeFormerLook() {
  const cache = await caches.open(look)
  for (const { url } of await cache.keys())
    if (!files.includes(new URL(url).pathname)) await cache.delete(url)
}

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  /** @type {{ request: Request }} */
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || elsewhere.test(url.pathname)) return
  if (request.destination === 'document') event.respondWith(open(request, url))
  else if (['image', 'style', 'script'].includes(request.destination))
    event.respondWith(
      fetch(request).catch(
        async () => (await caches.match(request, { ignoreVary: true })) ?? Response.error(),
      ),
    )
})

/**
 * Opens a page as usual. A commune that is gone takes its copy along.
 * @param {Request} request
 * @param {URL} url
 */
async function open(request, url) {
  const response = await fetch(request).catch(() => null)
  if (response === null) return openOffline(url)
  if ([404, 410].includes(response.status)) await forget(url)
  return response
}

/** The addresses of the copies: a commune, and its collections. */
const copies = async () =>
  (await caches.keys())
    .filter((name) => name.startsWith(prefix))
    .map((name) => new URL(name.slice(prefix.length), location.origin))

/** @param {URL} url */
const stored = ({ pathname, search }) =>
  caches.match(pathname + search, { cacheName: prefix + pathname + search })

/** @param {URL} url */
async function forget({ pathname }) {
  const all = await copies()
  if (!all.some((one) => one.pathname === pathname)) return
  for (const { pathname, search } of all) await caches.delete(prefix + pathname + search)
}

/**
 * Shows the copy of a page. The home leads to the commune; another secteur has other dates, so it is not answered by this one.
 * @param {URL} url
 */
async function openOffline({ pathname, searchParams }) {
  const all = await copies()
  const commune = all.find((one) => home.test(one.pathname))
  const found = pathname === '/' ? commune : all.find((one) => one.pathname === pathname)
  const response = found && !searchParams.has('annee') ? await stored(found) : undefined
  const secteur = searchParams.get('secteur')
  const isSame = pathname !== '/' && secteur === found?.searchParams.get('secteur')
  if (!found || !response || (secteur !== null && !isSame)) return sayOffline(commune)
  if (!isSame) return Response.redirect(found.href)
  const text = await response.text()
  return new Response(
    text.replace(/<main[^>]*>/, (main) => main + noticeOf(response)),
    response,
  )
}

/** @param {URL | undefined} commune */
async function sayOffline(commune) {
  const response = commune && (await stored(commune))
  const title = /<title>([^<]*) · /.exec((await response?.clone().text()) ?? '')?.[1]
  const link = response
    ? filled(copy, { title, address: commune && commune.pathname + commune.search, age: ageOf(response) })
    : ''
  return new Response(
    page.replace('<!--copie-->', () => link),
    { status: 503, headers },
  )
}

/** @param {Response} response */
function noticeOf(response) {
  const [day, today] = [seenAt(response), Date.now()].map((at) =>
    new Intl.DateTimeFormat('fr', { dateStyle: 'full', timeZone: 'Europe/Paris' }).format(at),
  )
  return filled(notice, { age: ageOf(response), dated: day === today ? '' : filled(dated, { day }) })
}

/** @param {Response} response */
const seenAt = ({ headers }) => Date.parse(headers.get('date') ?? '')

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** @param {Response} response */
function ageOf(response) {
  const age = Date.now() - seenAt(response)
  const [unit, size] = units.find(([, size]) => age >= size) ?? []
  if (!unit || !size) return justNow
  return new Intl.RelativeTimeFormat('fr', { style: 'short' }).format(-Math.floor(age / size), unit)
}

/**
 * @param {string} text
 * @param {Record<string, string | undefined>} values
 */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
