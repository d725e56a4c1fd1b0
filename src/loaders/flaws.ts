/**
 * Returns the first text that cannot be stored, and why; null if all can. PostgreSQL refuses NUL and unpaired
 * surrogates; U+FFFD replaces bytes that are not UTF-8, and no real name contains it.
 */
export function findFlaw(texts: Iterable<[name: string, text: string | null]>): string | null {
  for (const [name, text] of texts) {
    const flaw = text === null ? null : flawOf(text)
    if (flaw !== null) return `${name} holds ${flaw}`
  }
  return null
}

function flawOf(text: string): string | null {
  if (text.includes('\0')) return 'a NUL character'
  if (!text.isWellFormed()) return 'half a character (a lone surrogate)'
  if (text.includes('\u{FFFD}')) return 'a character that was not UTF-8 (U+FFFD)'
  return null
}
