import { useTranslations } from 'use-intl'
import type { Run } from './queries.ts'

/** Results of the items of a run, in words. */
export function Counts({
  run,
}: {
  run: Pick<Run, 'fetched' | 'created' | 'updated' | 'unchanged' | 'duplicates' | 'rejected'>
}) {
  const words = useTranslations('imports.counts')
  const names = ['created', 'updated', 'unchanged', 'duplicates', 'rejected'] as const
  const parts = names.filter((name) => run[name] > 0).map((name) => words(name, { count: run[name] }))
  return <>{[words('fetched', { count: run.fetched }), ...parts].join(' · ')}</>
}
