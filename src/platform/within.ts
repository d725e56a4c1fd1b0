import { unavailable } from './errors.ts'

/** What some work answers, if it does so in time; it goes on unheard otherwise. */
export async function within<T>(timeoutMs: number, work: Promise<T>, tooLate: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable(tooLate)), timeoutMs)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
