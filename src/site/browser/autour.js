/**
 * Shows the buttons that ask the browser for the position, and opens the page that each names with it. A hundred metres are
 * near enough, so no more of the position is sent.
 */
for (const button of document.querySelectorAll('button[data-autour]'))
  if (button instanceof HTMLButtonElement && 'geolocation' in navigator) offer(button)

/** @param {HTMLButtonElement} button */
function offer(button) {
  const { autour = '', attente = '', refus = '' } = button.dataset
  const state = document.createElement('p')
  state.setAttribute('role', 'status')
  state.className = 'soft'
  button.after(state)
  button.hidden = false
  button.addEventListener('click', () => {
    state.textContent = attente
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        state.textContent = ''
        location.assign(`${autour}?lat=${latitude.toFixed(3)}&lon=${longitude.toFixed(3)}`)
      },
      () => {
        state.textContent = refus
      },
      { maximumAge: 60_000, timeout: 20_000 },
    )
  })
}
