import { unavailable } from '../../errors.ts'

/** What the database answers, if it does in time; a later answer finds nobody. */
export async function within<T>(timeoutMs: number, answer: Promise<T>, tooLate: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable(tooLate)), timeoutMs)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
