/** Search parameters as the router parses them from the URL. */
export type SearchParams = Record<string, unknown>

/** Reads a text; undefined if it is empty or of another type. */
export const textOf = (value: unknown) =>
  // The router parses an all-digit value as a number.
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined

export const oneOf = <Value>(values: readonly Value[], value: unknown) =>
  values.find((known) => known === value)

/** Reads the number of a page; undefined for the first, which the URL leaves out. */
export const pageOf = (value: unknown) =>
  Number.isInteger(value) && Number(value) > 1 ? Number(value) : undefined

/** Leaves out the parameters that are undefined. */
export function defined<Values extends object>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Values]?: NonNullable<Values[Key]>
  }
}
