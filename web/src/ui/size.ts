import { useFormatter } from 'use-intl'

/** Returns a function that formats a number of bytes in kilobytes, megabytes or gigabytes. */
export function useSize() {
  const format = useFormatter()
  const inUnit = (value: number, unit: string, maximumFractionDigits: number) =>
    format.number(value, { style: 'unit', unit, maximumFractionDigits })
  return (bytes: number) => {
    if (bytes < 1e6) return inUnit(Math.ceil(bytes / 1e3), 'kilobyte', 0)
    if (bytes < 1e9) return inUnit(bytes / 1e6, 'megabyte', bytes < 1e7 ? 1 : 0)
    return inUnit(bytes / 1e9, 'gigabyte', 1)
  }
}
