/** The words of a text, as two are compared: without case, accents, ligatures or punctuation. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Short enough to have a code behind it, and to stand in a path. */
export function slugify(name: string): string {
  return fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 180)
    .replace(/-+$/, '')
}

/** In one line: what breaks or steers it becomes a space. A NUL stays, since text that holds one is refused. */
export const oneLine = (text: string) => text.replace(/[\s[\p{Cc}--\0]]+/gv, ' ').trim()

/** Composed letters, whole characters; none that is invisible and turns the reading direction, or a control. */
export const tidy = (text: string) =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/(?![\n\r\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')

/** The beginning of a text, without half a pair of surrogates at its end. */
export function clip(text: string, length: number): string {
  const cutsPair = (text.codePointAt(length - 1) ?? 0) > 0xffff
  return text.slice(0, cutsPair ? length - 1 : length)
}
