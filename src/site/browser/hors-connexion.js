/**
 * Keeps a copy of the commune that is shown, for the worker to show without a connection: its page and its collections. They
 * replace those of another commune. Several tabs take turns.
 */
const prefix = 'copie '
const maxBytes = 1_000_000
/** The page that is not shown is loaded again after an hour. */
const freshMs = 3_600_000
/** Its search has the secteur that the reader has chosen. */
const home = document.querySelector('.menu .phone a')
const isCopy = document.querySelector('#hors-connexion') !== null

if (home instanceof HTMLAnchorElement && !isCopy && 'serviceWorker' in navigator && 'locks' in navigator)
  // A browser that has no room, or was told to keep nothing, keeps nothing.
  addEventListener('load', () => keep(home).catch(() => {}))

/** @param {HTMLAnchorElement} home */
async function keep({ pathname, search }) {
  await navigator.serviceWorker.register('/site/notifications.js', { scope: '/' })
  const collections = `${pathname}/collectes`
  const both = [pathname, collections].map((path) => path + search)
  if (location.pathname === collections) both.reverse()
  const [shown = '', other = ''] = both
  await inTurn(async () => {
    for (const name of await caches.keys())
      if (name.startsWith(prefix) && !both.includes(name.slice(prefix.length))) await caches.delete(name)
    await store(shown, await load(location.href))
    if (!(await isFresh(other))) await store(other, await fetch(other))
  })
  for (const image of document.images) {
    const add = () => addPicture(shown, image).catch(() => {})
    if (image.complete) add()
    else image.addEventListener('load', add)
  }
}

/** @param {() => Promise<void>} work */
const inTurn = (work) => navigator.locks.request(prefix, work)

/**
 * Takes what the browser has just loaded, without asking again.
 * @param {string} address
 */
const load = (address) => fetch(address, { cache: 'force-cache' })

/** @param {string} address */
async function isFresh(address) {
  const copy = await caches.match(address, { cacheName: prefix + address })
  return Date.now() - Date.parse(copy?.headers.get('date') ?? '') < freshMs
}

/**
 * Stores a page with its stylesheet and this script, in place of its former copy.
 * @param {string} address
 * @param {Response} response
 */
async function store(address, response) {
  if (!response.ok || response.redirected) return
  await caches.delete(prefix + address)
  const copy = await caches.open(prefix + address)
  await copy.put(address, response)
  for (const { href } of document.styleSheets) if (href !== null) await copy.put(href, await load(href))
  await copy.put(import.meta.url, await load(import.meta.url))
}

let bytes = 0

/**
 * Adds a picture of the site that the reader has seen, as long as there is room.
 * @param {string} address
 * @param {HTMLImageElement} image
 */
async function addPicture(address, { currentSrc, naturalWidth }) {
  if (naturalWidth === 0 || !currentSrc.startsWith(`${location.origin}/`)) return
  await inTurn(async () => {
    // Another tab may have opened another commune meanwhile.
    if (bytes > maxBytes || !(await caches.has(prefix + address))) return
    const picture = await load(currentSrc)
    bytes += (await picture.clone().blob()).size
    if (picture.ok && bytes <= maxBytes) await (await caches.open(prefix + address)).put(currentSrc, picture)
  })
}
