import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { useFailureToast } from '../shown-failure.tsx'
import { maxChosen } from './chosen.ts'

type SelectAllProps<Item> = {
  /** Number of the selected rows. */
  count: number
  meta: { total: number; total_is_at_least?: boolean } | undefined
  /** Reads the rows that match the filters, at most `maxChosen`. */
  read: () => Promise<readonly Item[]>
  onSelect: (rows: readonly Item[]) => void
}

/** Offers to select all rows that match the filters, on other pages too; of very many, the first. */
export function SelectAll<Item>({ count, meta, read, onSelect }: SelectAllProps<Item>) {
  const words = useTranslations('ui')
  const showFailure = useFailureToast()
  const [isReading, setReading] = useState(false)
  const total = meta?.total ?? 0
  const isBeyond = total > maxChosen || meta?.total_is_at_least === true
  if (count >= Math.min(total, maxChosen)) return null
  const select = async () => {
    setReading(true)
    try {
      onSelect(await read())
    } catch (error) {
      showFailure(words('notSelected'), error)
    } finally {
      setReading(false)
    }
  }
  return (
    <Button small look="quiet" isPending={isReading} onPress={() => void select()}>
      {isBeyond ? words('selectFirst', { count: maxChosen }) : words('selectMatching', { count: total })}
    </Button>
  )
}
