import { unavailable } from '../../errors.ts'

/** Applies a timeout to a database response; ignores a response that arrives later. */
export async function within<T>(timeoutMs: number, answer: Promise<T>, tooLate: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable(tooLate)), timeoutMs)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
