import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
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

type Switch = {
  name: 'validate' | 'active' | 'can-publish'
  icon: IconName
  isOn: (acteur: Acteur) => boolean
  set: (acteur: Acteur, isOn: boolean) => Promise<{ data: { version: number } }>
}

/** Decisions that have two states. Each one can be taken back. */
const switches: readonly Switch[] = [
  { name: 'validate', icon: 'check', isOn: ({ valide }) => valide, set: validate },
  { name: 'can-publish', icon: 'star', isOn: ({ can_publish }) => can_publish, set: setCanPublish },
  { name: 'active', icon: 'screen', isOn: ({ active }) => active, set: setActive },
]

export function Decisions({ acteur }: { acteur: Acteur }) {
  const words = useTranslations('acteurs')
  return (
    <Section title={words('decisions')}>
      <Lines label={words('decisions')}>
        {switches.map(
          (one) => acteur.can.includes(one.name) && <OneSwitch key={one.name} acteur={acteur} of={one} />,
        )}
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

function OneSwitch({ acteur, of }: { acteur: Acteur; of: Switch }) {
  const words = useTranslations('acteurs.switches')
  const client = useQueryClient()
  const onSettled = useReload()
  const isOn = of.isOn(acteur)
  const changing = useSubmit({
    mutationFn: (next: { version: number; isOn: boolean }) =>
      of.set({ ...acteur, version: next.version }, next.isOn),
    onSuccess: ({ data: { version } }, next) => {
      // The next decision, or the undo, may be faster than the reload.
      client.setQueryData(acteurQuery(acteur.id).queryKey, (read) => read && { ...read, version })
      showToast({
        title: words(`${of.name}.${next.isOn ? 'done' : 'undone'}`),
        action: {
          label: words('undo'),
          run: () => {
            changing.reset()
            changing.submit({ version, isOn: !next.isOn })
          },
        },
      })
    },
    onSettled,
  })
  return (
    <OneLine
      icon={of.icon}
      title={words(`${of.name}.${isOn ? 'on' : 'off'}`)}
      note={words(`${of.name}.${isOn ? 'onNote' : 'offNote'}`)}
      actions={
        <Button
          small
          isPending={changing.isPending}
          onPress={() => changing.submit({ version: acteur.version, isOn: !isOn })}
        >
          {words(`${of.name}.${isOn ? 'turnOff' : 'turnOn'}`)}
        </Button>
      }
    >
      {changing.isError && <ShownFailure error={changing.error} />}
    </OneLine>
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
