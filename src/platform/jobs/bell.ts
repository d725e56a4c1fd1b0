/** A rest that can be cut short. A ring while nobody rests cuts the next one. */
export function createBell() {
  let rung = false
  let wake = () => {}
  return {
    ring() {
      rung = true
      wake()
    },
    async rest(ms: number) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      rung = false
    },
  }
}
