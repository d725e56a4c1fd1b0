/**
 * Lists the values of an `Accept` or `Accept-Language` header with their weights, in lower case. Ignores all values
 * after the twentieth.
 */
export const weightsOf = (header: string): [value: string, weight: number][] =>
  header
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [value = '', ...params] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const weight = params.find((param) => param.startsWith('q='))?.slice(2)
      return [value, weight === undefined ? 1 : Number(weight) || 0]
    })
