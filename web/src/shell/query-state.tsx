import { Skeleton } from '../ui/empty.tsx'
import { ShownFailure } from './shown-failure.tsx'

type QueryStateProps = {
  query: { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown }
  /** Lines of the skeleton. */
  lines: number
}

/** Shows that a query is loading, or why it failed, with a button to retry. */
export function QueryState({ query, lines }: QueryStateProps) {
  if (query.isPending) return <Skeleton lines={lines} />
  if (query.isError) return <ShownFailure error={query.error} onRetry={() => void query.refetch()} />
  return null
}
