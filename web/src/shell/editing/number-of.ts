/** Reads a number as typed in French or English; text that is none is sent as it is, and refused by the service. */
export function numberOf(text: string): number | null {
  const plain = text.replaceAll(/\s/g, '').replace(',', '.')
  return plain === '' ? null : Number.isNaN(Number(plain)) ? (text as never) : Number(plain)
}
