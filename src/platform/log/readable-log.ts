import { levels } from 'pino'

type Output = { write(text: string): unknown }

/** Formats each JSON line for people: time, level, message, then the rest as `name=value`. */
export function readable(output: Output) {
  return { write: (line: string) => void output.write(`${format(line)}\n`) }
}

function format(line: string): string {
  const { time, level, msg, method, route, status, ms, err, ...rest } = JSON.parse(line)
  const clock = new Date(time).toTimeString().slice(0, 8)
  const request = method && `${method} ${route ?? '(no route)'} ${status}`
  const duration = ms === undefined ? '' : `${ms} ms`
  const others = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`)
  const label = (levels.labels[level] ?? '').padEnd(5)
  const words = [clock, label, msg ?? '', request ?? '', duration, ...others]
  return [words.filter(Boolean).join(' '), ...(err ? [err.stack ?? err.message] : [])].join('\n')
}

/** Quotes a value that is not a single word. */
const textOf = (value: unknown) =>
  typeof value === 'string' && /^[!-~]+$/.test(value) ? value : JSON.stringify(value)
