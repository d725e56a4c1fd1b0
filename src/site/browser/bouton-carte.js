/**
 * Shows the button of the map, which loads the map when it is pressed. Where the map cannot be shown, a sentence says so, and
 * the page is its list.
 */
const button = document.querySelector('button[data-carte]')
if (button instanceof HTMLButtonElement) offer(button)

/** @param {HTMLButtonElement} button */
function offer(button) {
  const { carte = '', ferme = '', attente = '', echec = '', lat, lon, ici } = button.dataset
  const label = button.textContent
  const place =
    lat === undefined || lon === undefined ? null : { latitude: Number(lat), longitude: Number(lon) }
  /** @type {HTMLElement | null} */
  let section = null
  let isFailed = false
  /** Added to addresses: some browsers remember that a script could not be loaded. */
  let again = ''
  let remove = () => {}

  async function open() {
    const own = document.createElement('section')
    own.className = 'carte wide'
    const state = document.createElement('p')
    state.setAttribute('role', 'status')
    state.className = 'soft'
    own.append(state)
    ;(button.parentElement ?? button).after(own)
    section = own
    button.textContent = ferme
    state.textContent = attente
    try {
      const { openMap } = await import(carte + again)
      if (section !== own) return
      const close = await openMap(own, state, { place, label: ici, again })
      if (section === own) remove = close
      else close()
    } catch {
      if (section !== own) return
      own.replaceChildren(state)
      state.textContent = echec
      isFailed = true
      again = `?${Date.now()}`
      button.textContent = label
    }
  }

  function close() {
    section?.remove()
    section = null
    isFailed = false
    button.textContent = label
    remove()
    remove = () => {}
  }

  button.hidden = false
  button.addEventListener('click', () => {
    const opens = section === null || isFailed
    if (section !== null) close()
    if (opens) open()
  })
}
