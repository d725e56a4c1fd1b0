import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { acteurChoices, type CommuneChoice } from '../../shell/choices/choices.ts'
import { CommuneList } from '../../shell/choices/commune-list.tsx'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { same, usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { SaveBar } from '../../shell/editing/save-bar.tsx'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { useFailureToast } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Combo } from '../../ui/combo.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Row } from '../../ui/layout.tsx'
import { Page } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useFirstWrong } from '../../ui/use-first-wrong.ts'
import styles from './groups.module.css'
import { NameFields } from './name-fields.tsx'
import { deleteGroup, type Group, groupQuery, updateGroup } from './queries.ts'

const route = getRouteApi('/signed-in/groups/$id')

/** One group of communes: its name, its members and the acteur that publishes for them. */
export function GroupScreen() {
  const { id } = route.useParams()
  const group = useQuery(groupQuery(id))
  return group.data ? <GroupForm key={id} group={group.data} /> : <QueryState query={group} lines={8} />
}

type Typed = Pick<Group, 'nom' | 'kind'> & {
  siren: string
  slug: string
  acteur: { id: string; nom: string } | null
  communes: CommuneChoice[]
}

const typedOf = ({ nom, kind, siren, slug, acteur, communes }: Group): Typed => ({
  ...{ nom, kind, slug, siren: siren ?? '' },
  acteur: acteur && { id: acteur.id, nom: acteur.nom },
  communes: communes.map(({ id, nom, departement }) => ({ id, nom, note: departement })),
})

const bodyOf = ({ nom, kind, siren, slug, acteur, communes }: Typed) => ({
  ...{ nom: nom.trim(), kind, slug: slug.trim() },
  siren: siren.replaceAll(/\s/g, '') || null,
  acteur_id: acteur?.id ?? null,
  commune_ids: communes.map(({ id }) => id),
})

function GroupForm({ group }: { group: Group }) {
  const words = useTranslations('groupsOfCommunes')
  const client = useQueryClient()
  const query = groupQuery(group.id)
  const draft = usePartDraft<Typed>(`group.${group.id}`, typedOf(group))
  const { mine, base, put } = draft
  const [isDeleting, setDeleting] = useState(false)
  const saving = useSubmit({
    mutationFn: () =>
      saveNewest(client, query, async (now) => {
        draft.requireBase(typedOf(now))
        const [before, after] = [bodyOf(base), bodyOf(mine)]
        const changed = Object.entries(after).filter(([name, value]) => !same(value, before[name as never]))
        const saved = changed.length === 0 ? now : await updateGroup(now, Object.fromEntries(changed))
        client.setQueryData(query.queryKey, saved)
        draft.clear()
        return saved
      }),
    onSuccess: ({ nom }) => {
      void client.invalidateQueries({ queryKey: ['groups', 'list'] })
      showToast({ title: words('saved', { nom }) })
    },
  })
  const { error } = saving
  const form = useFirstWrong(error)
  const wrong = (name: string) => messageFor(error, (field) => field.split(/[.[]/)[0] === name)
  const save = () => {
    if (draft.isChanged && !draft.isBehind) saving.submit()
  }
  return (
    <Page title={group.nom} actions={<PublicSiteLink kind="groupes" slug={group.slug} />}>
      <Form ref={form} isSaving={saving.isPending} className={styles.form} onSubmit={save}>
        {!saving.isPending && (
          <DraftConflict
            draft={draft}
            linesOf={({ communes, acteur, kind, ...typed }) => [
              [words('nom'), typed.nom] as const,
              [words('kind'), words(`kinds.${kind}`)] as const,
              [words('siren'), typed.siren] as const,
              [words('slug'), typed.slug] as const,
              [words('acteur'), acteur?.nom ?? ''] as const,
              [words('communes'), communes.map(({ nom }) => nom).join(', ')] as const,
            ]}
          />
        )}
        <NameFields typed={mine} onChange={put} error={wrong('nom')} />
        <TextField
          label={words('siren')}
          help={words('sirenHelp')}
          value={mine.siren}
          onChange={(siren) => put({ siren })}
          error={wrong('siren')}
        />
        <TextField
          label={words('slug')}
          help={words('slugHelp', { slug: mine.slug })}
          isRequired
          value={mine.slug}
          onChange={(slug) => put({ slug })}
          error={wrong('slug')}
        />
        <ActeurField chosen={mine.acteur} onChoose={(acteur) => put({ acteur })} error={wrong('acteur_id')} />
        {group.acteur && (
          <p>
            <Link to="/acteurs/$id" params={{ id: group.acteur.id }}>
              {words('openActeur', { nom: group.acteur.nom })}
            </Link>
          </p>
        )}
        <CommuneList
          help={words('addHelp')}
          label={words('members', { count: mine.communes.length })}
          chosen={mine.communes}
          onChange={(communes) => put({ communes })}
          error={wrong('commune_ids')}
        />
        <SaveBar
          isChanged={draft.isChanged}
          isPending={saving.isPending}
          error={error}
          onDiscard={() => {
            draft.clear()
            saving.reset()
          }}
        />
      </Form>
      <Row>
        <Button look="quiet" onPress={() => setDeleting(true)}>
          {words('delete')}
        </Button>
      </Row>
      {isDeleting && <DeleteGroup group={group} onClose={() => setDeleting(false)} onGone={draft.clear} />}
    </Page>
  )
}

type ActeurProps = {
  chosen: Typed['acteur']
  onChoose: (acteur: Typed['acteur']) => void
  error: string | null
}

function ActeurField({ chosen, onChoose, error }: ActeurProps) {
  const words = useTranslations('groupsOfCommunes')
  const [asked, setAsked] = useState<string | null>(null)
  const acteurs = useQuery(acteurChoices(asked ?? '', { type: ['intercommunalite'] }))
  return (
    <Combo
      label={words('acteur')}
      help={words('acteurHelp')}
      typed={asked ?? chosen?.nom ?? ''}
      onType={setAsked}
      items={acteurs.data ?? []}
      isSearching={acteurs.isPending || acteurs.isPlaceholderData}
      chosen={chosen}
      onChoose={(item) => {
        setAsked(null)
        onChoose(item && { id: item.id, nom: item.nom })
      }}
      error={error}
    />
  )
}

type DeleteProps = { group: Group; onClose: () => void; onGone: () => void }

function DeleteGroup({ group, onClose, onGone }: DeleteProps) {
  const words = useTranslations('groupsOfCommunes')
  const navigate = useNavigate()
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const deleting = useSubmit({
    mutationFn: () => deleteGroup(group),
    onSuccess: async ({ nom }) => {
      onGone()
      showToast({ title: words('deleted', { nom }) })
      await navigate({ to: '/groups' })
      client.removeQueries({ queryKey: groupQuery(group.id).queryKey })
      void client.invalidateQueries({ queryKey: ['groups'] })
    },
    onError: (error) => showFailure(words('notDeleted'), error),
    onSettled: onClose,
  })
  return (
    <Confirm
      title={words('deleteTitle', { nom: group.nom })}
      action={words('delete')}
      isOpen
      isPending={deleting.isPending}
      onClose={onClose}
      onConfirm={() => deleting.submit()}
    >
      <p>{words('deleteText')}</p>
    </Confirm>
  )
}
