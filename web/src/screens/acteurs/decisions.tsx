import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ReasonDialog } from '../../shell/deciding/reason-dialog.tsx'
import { type Why, whyOf } from '../../shell/deciding/why.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choice.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './acteurs.module.css'
import { BadgeDialog } from './badge.tsx'
import {
  type Acteur,
  acteurQuery,
  deleteActeur,
  restoreActeur,
  setActive,
  setBadge,
  setCanPublish,
  validate,
} from './queries.ts'

type TwoStates = {
  name: 'validate' | 'can-publish' | 'active'
  field: 'valide' | 'can_publish' | 'active'
  set: (acteur: Acteur, isOn: boolean, why: Why) => Promise<{ data: { version: number } }>
}

/** Decisions that have two states. Each one can be taken back. */
const decisions: readonly TwoStates[] = [
  { name: 'validate', field: 'valide', set: validate },
  { name: 'can-publish', field: 'can_publish', set: setCanPublish },
  { name: 'active', field: 'active', set: setActive },
]

/** What the acteur may do, in one row of switches. */
export function Decisions({ acteur }: { acteur: Acteur }) {
  const words = useTranslations('acteurs')
  const possible = decisions.filter(({ name }) => acteur.can.includes(name))
  if (possible.length === 0) return null
  return (
    <Section title={words('decisions')}>
      <ul aria-label={words('decisions')} className={styles.switches}>
        {possible.map((one) => (
          <Decision key={one.name} acteur={acteur} of={one} />
        ))}
      </ul>
    </Section>
  )
}

/** Decisions that ask something first. */
export function OtherDecisions({ acteur }: { acteur: Acteur }) {
  const words = useTranslations('acteurs')
  return (
    <Section title={words('otherDecisions')}>
      <Lines label={words('otherDecisions')}>
        {acteur.can.includes('badge') && <BadgeLine acteur={acteur} />}
        {acteur.can.includes('delete') && <DeleteLine acteur={acteur} />}
        {acteur.can.includes('restore') && <RestoreLine acteur={acteur} />}
      </Lines>
    </Section>
  )
}

function useReload() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['acteurs'] })
}

type Next = { version: number; isOn: boolean; why?: Promise<Why>; onSuccess?: () => void }

function Decision({ acteur, of }: { acteur: Acteur; of: TwoStates }) {
  const words = useTranslations('acteurs.switches')
  const others = useTranslations('acteurs')
  /** The version that is to be deactivated, while the dialog asks why. */
  const [asking, setAsking] = useState<number | null>(null)
  const client = useQueryClient()
  const onSettled = useReload()
  const meaning = useId()
  const changing = useSubmit({
    mutationFn: async ({ version, isOn, why }: Next) =>
      of.set({ ...acteur, version }, isOn, (await why) ?? {}),
    onSuccess: ({ data: { version } }, next) => {
      next.onSuccess?.()
      // The next decision, or the undo, may be faster than the reload.
      client.setQueryData(
        acteurQuery(acteur.id).queryKey,
        (read) => read && { ...read, version, [of.field]: next.isOn },
      )
      showToast({
        title: words(`${of.name}.${next.isOn ? 'done' : 'undone'}`),
        action: {
          label: words('undo'),
          run: () => {
            changing.reset()
            choose({ version, isOn: !next.isOn })
          },
        },
      })
    },
    onSettled,
  })
  const choose = (next: Next) =>
    of.name === 'active' && !next.isOn ? setAsking(next.version) : changing.submit(next)
  const isOn = changing.isPending ? changing.variables.isOn : acteur[of.field]
  return (
    <li className={styles.decision}>
      <Switch
        isSelected={isOn}
        onChange={(chosen) => choose({ version: acteur.version, isOn: chosen })}
        aria-describedby={meaning}
      >
        {words(`${of.name}.label`)}
      </Switch>
      <Soft id={meaning}>{words(`${of.name}.${isOn ? 'on' : 'off'}`)}</Soft>
      {changing.isError && <ShownFailure error={changing.error} />}
      {asking !== null && (
        <ReasonDialog
          purpose="deactivate"
          kind={null}
          title={others('deactivate', { count: 1 })}
          note={others('deactivateNote')}
          ids={[acteur.id]}
          onClose={() => setAsking(null)}
          onSend={(reason, onSuccess, ground) =>
            changing.submit({ version: asking, isOn: false, why: whyOf(reason, ground), onSuccess })
          }
        />
      )}
    </li>
  )
}

function BadgeLine({ acteur }: { acteur: Acteur }) {
  const words = useTranslations('acteurs.badgeOf')
  const [isOpen, setOpen] = useState(false)
  const onSettled = useReload()
  const saving = useSubmit({
    mutationFn: (badge: string | null) => setBadge(acteur, badge),
    onSuccess: () => showToast({ title: words('saved') }),
    onSettled: () => {
      setOpen(false)
      return onSettled()
    },
  })
  return (
    <OneLine
      icon="flag"
      title={acteur.badge === null ? words('none') : words('is', { badge: acteur.badge })}
      note={words('note')}
      actions={
        <Button small onPress={() => setOpen(true)}>
          {words(acteur.badge === null ? 'add' : 'change')}
        </Button>
      }
    >
      {saving.isError && <ShownFailure error={saving.error} />}
      {isOpen && (
        <BadgeDialog
          badge={acteur.badge}
          isPending={saving.isPending}
          onClose={() => setOpen(false)}
          onSave={(badge) => saving.submit(badge)}
        />
      )}
    </OneLine>
  )
}

function DeleteLine({ acteur }: { acteur: Acteur }) {
  const words = useTranslations('acteurs.delete')
  const [isAsking, setAsking] = useState(false)
  const onSettled = useReload()
  const deleting = useSubmit({
    mutationFn: () => deleteActeur(acteur),
    onSuccess: () => {
      setAsking(false)
      showToast({ title: words('done') })
    },
    onSettled,
  })
  return (
    <OneLine
      icon="close"
      title={words('title')}
      note={words('note')}
      actions={
        <Button small onPress={() => setAsking(true)}>
          {words('short')}
        </Button>
      }
    >
      <Confirm
        title={words('question', { nom: acteur.nom })}
        action={words('action')}
        isOpen={isAsking}
        isPending={deleting.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => deleting.submit()}
      >
        <p>{words('text')}</p>
        {deleting.isError && <ShownFailure error={deleting.error} />}
      </Confirm>
    </OneLine>
  )
}

function RestoreLine({ acteur }: { acteur: Acteur }) {
  const words = useTranslations('acteurs.restore')
  const onSettled = useReload()
  const restoring = useSubmit({
    mutationFn: () => restoreActeur(acteur),
    onSuccess: () => showToast({ title: words('done') }),
    onSettled,
  })
  return (
    <OneLine
      icon="refresh"
      title={words('title')}
      note={words('note')}
      actions={
        <Button small isPending={restoring.isPending} onPress={() => restoring.submit()}>
          {words('action')}
        </Button>
      }
    >
      {restoring.isError && <ShownFailure error={restoring.error} />}
    </OneLine>
  )
}
