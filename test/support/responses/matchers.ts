import { expect } from 'vitest'
import type { Answer } from '../client.ts'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> {
    /** The response is the API error with this status and code. */
    toBeError(status: number, code: string): R
  }
}

expect.extend({
  toBeError(answer: Answer, status: number, code: string) {
    const seen = { status: answer.status, error: answer.body?.error, message: typeof answer.body?.message }
    const pass = this.equals(seen, { status, error: code, message: 'string' })
    return {
      pass,
      message: () => `expected ${status} ${code}, got ${answer.status} ${answer.text.slice(0, 500)}`,
    }
  },
})
