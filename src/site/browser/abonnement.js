/**
 * Adds notifications to the form of a subscription, where the browser has them. It changes what the form sends, and sends it as
 * the form does: the server answers with a page.
 */
const template = document.querySelector('template#canal')
const form = document.querySelector('form.form')
const email = form?.querySelector('input[name="email"]')
const scope = '/site/'

if (template instanceof HTMLTemplateElement && 'serviceWorker' in navigator && 'PushManager' in window) {
  const key = template.dataset.cle ?? ''
  const worker = template.dataset.ouvrier ?? ''
  if (form instanceof HTMLFormElement && email instanceof HTMLInputElement) offer(form, email, key, worker)
  showExisting()
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} email
 * @param {string} key
 * @param {string} worker
 */
function offer(form, email, key, worker) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button[type="submit"]'))
  form.prepend(document.importNode(/** @type {HTMLTemplateElement} */ (template).content, true))
  const [byMail, byPush] = /** @type {HTMLInputElement[]} */ ([
    ...form.querySelectorAll('input[name="canal"]'),
  ])
  const alert = /** @type {HTMLElement} */ (form.querySelector('#canal-erreur'))
  const hidden = ['endpoint', 'p256dh', 'auth'].map((name) => {
    return /** @type {HTMLInputElement} */ (form.querySelector(`input[name="${name}"]`))
  })
  const show = () => {
    const isPush = byPush?.checked === true
    email.disabled = isPush
    const field = email.closest('.field')
    if (field instanceof HTMLElement) field.hidden = isPush
    for (const input of hidden) input.disabled = !isPush
  }
  for (const radio of [byMail, byPush]) radio?.addEventListener('change', show)
  // A refused form is shown again with what was chosen.
  if (byPush && hidden[0]?.value) byPush.checked = true
  show()

  form.addEventListener('submit', async (event) => {
    if (!byPush?.checked) return
    event.preventDefault()
    alert.hidden = true
    button.disabled = true
    try {
      const subscription = await subscribe(key, worker)
      const { endpoint = '', keys = {} } = subscription.toJSON()
      for (const [at, value] of [endpoint, keys.p256dh, keys.auth].entries()) {
        const input = hidden[at]
        if (input) input.value = value ?? ''
      }
      form.submit()
    } catch {
      const isDenied = Notification.permission === 'denied'
      alert.textContent = (isDenied ? alert.dataset.refus : alert.dataset.echec) ?? ''
      alert.hidden = false
      button.disabled = false
    }
  })
}

/**
 * Asks for the permission, and subscribes to the push service of the browser.
 * @param {string} key
 * @param {string} worker
 */
async function subscribe(key, worker) {
  // At once, as the answer to a click: some browsers ask at no other time.
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('The permission was refused.')
  const registration = await navigator.serviceWorker.register(worker, { scope })
  await untilActive(registration)
  const existing = await registration.pushManager.getSubscription()
  if (existing !== null && keyOf(existing) === key) return existing
  // It was made with a key that the service no longer has.
  await existing?.unsubscribe()
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/**
 * The page is outside the scope of the worker, so `navigator.serviceWorker.ready` would wait for ever.
 * @param {ServiceWorkerRegistration} registration
 */
function untilActive({ active, waiting, installing }) {
  const worker = active ?? waiting ?? installing
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker?.state === 'activated') resolve(null)
      else if (worker?.state === 'redundant') reject(new Error('The worker was not installed.'))
    }
    worker?.addEventListener('statechange', look)
    look()
  })
}

/** @param {PushSubscription} subscription */
function keyOf({ options }) {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}

/** Shows the way to the subscription of this browser, if it has one. */
async function showExisting() {
  const registration = await navigator.serviceWorker.getRegistration(scope)
  const subscription = await registration?.pushManager.getSubscription()
  const own = document.querySelector('#appareil')
  const endpoint = own?.querySelector('input[name="endpoint"]')
  if (!subscription || !(own instanceof HTMLElement) || !(endpoint instanceof HTMLInputElement)) return
  endpoint.value = subscription.endpoint
  own.hidden = false
}
