import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ReasonDialog } from '../../shell/deciding/reason-dialog.tsx'
import { type Why, whyOf } from '../../shell/deciding/why.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectionBar } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BadgeDialog } from './badge.tsx'
import { Merge } from './merge.tsx'
import { type BulkResult, type Decision, decideMany, type ListedActeur, undoMany } from './queries.ts'

const rare = {
  notValid: { validate: false },
  active: { active: true },
  inactive: { active: false },
  moderated: { can_publish: false },
} as const
type Rare = keyof typeof rare

type Deciding = { decision: Decision; why?: Promise<Why>; onSuccess?: () => void }
type Outcome = { name: string; result: BulkResult['result']; id: string }

type BulkProps = {
  rows: readonly ListedActeur[]
  /** Selects what is not loaded. */
  selectAll: ReactNode
  /** Called with the ids of those that a decision reached. */
  onDone: (ids: readonly string[]) => void
}

/** Decisions on the selected acteurs. A toast offers to undo them; what was not done is listed by name. */
export function Bulk({ rows, selectAll, onDone }: BulkProps) {
  const words = useTranslations('acteurs')
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null)
  const { deciding, undoing } = useBulkDecisions(rows, setOutcomes, onDone)
  const [isNaming, setNaming] = useState(false)
  const [pair, setPair] = useState<[ListedActeur, ListedActeur] | null>(null)
  const navigate = useNavigate()
  const [isAskingWhy, setAskingWhy] = useState(false)
  const decide = (decision: Decision) => () =>
    decision.active === false ? setAskingWhy(true) : deciding.submit({ decision })
  const [first, second] = rows.length === 2 ? rows : []
  const mayMerge = first?.type === second?.type && rows.every(({ can }) => can.includes('merge'))
  const problem = deciding.error ?? undoing.error
  return (
    <>
      {problem !== null && <ShownFailure error={problem} />}
      {rows.length > 0 && (
        <SelectionBar chosen={words('chosen', { count: rows.length })}>
          {selectAll}
          <Button small isPending={deciding.isPending} onPress={decide({ validate: true })}>
            {words('bulk.valid')}
          </Button>
          <Button small isPending={deciding.isPending} onPress={decide({ can_publish: true })}>
            {words('bulk.publishes')}
          </Button>
          <Button small onPress={() => setNaming(true)}>
            {words('bulk.badge')}
          </Button>
          {first && second && mayMerge && (
            <Button small onPress={() => setPair([first, second])}>
              {words('bulk.merge')}
            </Button>
          )}
          <Menu
            label={words('bulk.others')}
            trigger={
              <Button small icon="more">
                {words('bulk.others')}
              </Button>
            }
          >
            {(Object.keys(rare) as Rare[]).map((name) => (
              <MenuItem key={name} id={name} onAction={decide(rare[name])}>
                {words(`bulk.${name}`)}
              </MenuItem>
            ))}
          </Menu>
        </SelectionBar>
      )}
      {pair !== null && (
        <Merge
          acteur={pair[0]}
          into={pair[1]}
          onClose={() => setPair(null)}
          onMerged={(id) => void navigate({ to: '/acteurs/$id', params: { id } })}
        />
      )}
      {isNaming && (
        <BadgeDialog
          badge={null}
          onClose={() => setNaming(false)}
          onSave={(badge) => {
            setNaming(false)
            deciding.submit({ decision: { badge } })
          }}
        />
      )}
      {isAskingWhy && (
        <ReasonDialog
          purpose="deactivate"
          kind={null}
          title={words('deactivate', { count: rows.length })}
          note={words('deactivateNote')}
          ids={rows.map(({ id }) => id)}
          onClose={() => setAskingWhy(false)}
          onSend={(reason, onSuccess, ground) =>
            deciding.submit({ decision: rare.inactive, why: whyOf(reason, ground), onSuccess })
          }
        />
      )}
      {outcomes !== null && <Outcomes outcomes={outcomes} onClose={() => setOutcomes(null)} />}
    </>
  )
}

/** Decides on the rows, and undoes it. `onOutcomes` gets what became of each row if something was not done. */
function useBulkDecisions(
  rows: readonly ListedActeur[],
  onOutcomes: (outcomes: Outcome[]) => void,
  onDone: (ids: readonly string[]) => void,
) {
  const words = useTranslations('acteurs')
  const client = useQueryClient()
  // Not awaited: the next decision would be dropped until the list is read.
  const reload = () => void client.invalidateQueries({ queryKey: ['acteurs'] })
  /** Versions that decisions made here: undoing one must not fail because of a later one. */
  const own = useRef(new Map<string, number>())
  /** Shows what was not done, and returns how many acteurs were changed. */
  function settle(before: readonly ListedActeur[], results: readonly BulkResult[]): number {
    const rowOf = new Map(before.map((row) => [row.id, row]))
    const updated = results.filter(({ result }) => result === 'updated')
    for (const { id } of updated) {
      const version = own.current.get(id) ?? rowOf.get(id)?.version ?? 0
      own.current.set(id, version + 1)
    }
    if (updated.length < results.length)
      onOutcomes(results.map(({ id, result }) => ({ id, result, name: rowOf.get(id)?.nom ?? id })))
    return updated.length
  }
  const undoing = useSubmit({
    mutationFn: async ([before, results, decision]: [readonly ListedActeur[], BulkResult[], Decision]) =>
      settle(before, await undoMany(results, decision, own.current)),
    onSuccess: (count) => showToast({ title: words('undoneMany', { count }) }),
    onSettled: reload,
  })
  const deciding = useSubmit({
    mutationFn: async ({ decision, why, onSuccess }: Deciding) => {
      const seen = rows.map((row) => ({
        ...row,
        version: Math.max(row.version, own.current.get(row.id) ?? 0),
      }))
      for (const { id, version } of seen) own.current.set(id, version)
      const results: BulkResult[] = []
      const finish = () => {
        const count = settle(seen, results)
        const run = () => undoing.submit([seen, results, decision])
        showToast({
          title: words('decided', { count }),
          ...(count > 0 && { action: { label: words('undo'), run } }),
        })
        onDone(results.map(({ id }) => id))
      }
      try {
        await decideMany(seen, decision, await why, results)
      } catch (error) {
        // Offers to undo what was decided; the rest stays selected.
        if (results.length > 0) finish()
        throw error
      }
      onSuccess?.()
      finish()
    },
    onSettled: reload,
  })
  return { deciding, undoing }
}

function Outcomes({ outcomes, onClose }: { outcomes: readonly Outcome[]; onClose: () => void }) {
  const words = useTranslations('acteurs')
  return (
    <Dialog title={words('outcome')} isOpen onClose={onClose}>
      <Lines label={words('outcome')}>
        {outcomes.map(({ id, name, result }) => (
          <OneLine
            key={id}
            icon={result === 'updated' || result === 'unchanged' ? 'check' : 'warning'}
            title={name}
            badge={
              <Badge tone={result === 'updated' ? 'good' : result === 'unchanged' ? 'plain' : 'warn'}>
                {words(`results.${result}`)}
              </Badge>
            }
          />
        ))}
      </Lines>
    </Dialog>
  )
}
