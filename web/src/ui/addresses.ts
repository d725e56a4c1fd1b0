/** Completes a typed http or https address; null if it is invalid. */
export function addressOf(typed: string): string | null {
  const text = typed.trim()
  const whole = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (/[\s<>"`\\]/.test(text) || !URL.canParse(whole)) return null
  const { protocol, hostname, username } = new URL(whole)
  return /^https?:$/.test(protocol) && hostname.includes('.') && username === '' ? whole : null
}

/** Splits a text: parts with an odd index are addresses, without the punctuation of their sentence. */
export function splitAtAddresses(text: string): string[] {
  const parts = ['']
  let end = 0
  for (const { index, 0: found } of text.matchAll(address)) {
    const one = withoutPunctuation(found)
    if (addressOf(one) === null) continue
    parts[parts.length - 1] += text.slice(end, index)
    parts.push(one, '')
    end = index + one.length
  }
  parts[parts.length - 1] += text.slice(end)
  return parts
}

/** Up to a space, or the next address of a list: "www.a.example,www.b.example". */
const address = /(?:https?:\/\/|\bwww\.)(?:(?![,;](?:https?:\/\/|www\.))[^\s<>"`\\])+/gi

/** Keeps a bracket that the address opens: "…/wiki/Ain_(rivière)". */
function withoutPunctuation(found: string): string {
  const last = found.at(-1) ?? ''
  const opening = { ')': '(', ']': '[' }[last]
  const isOpened = opening !== undefined && found.split(opening).length >= found.split(last).length
  return !isOpened && /[.,;:!?…)\]»”’']/.test(last) ? withoutPunctuation(found.slice(0, -1)) : found
}
