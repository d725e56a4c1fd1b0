import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../../api/failure.ts'
import { acteurChoices } from '../../../shell/choices/choices.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { numberOf } from '../../../shell/editing/number-of.ts'
import { same, usePartDraft } from '../../../shell/editing/part-draft.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { Button } from '../../../ui/button.tsx'
import { Combo } from '../../../ui/combo.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useSaveCommune } from '../editing.ts'
import type { Commune } from '../queries.ts'
import styles from './editor.module.css'
import { OpenMairie } from './open-mairie.tsx'
import { SaveBar } from './save-bar.tsx'

const frame = getRouteApi('/signed-in')

/** Fields of the form as typed. */
type Typed = Record<(typeof names)[number], string> & { mairie: { id: string; nom: string } | null }
const names = [
  'nom',
  'slug',
  'code_insee',
  'codes_postaux',
  'departement',
  'region',
  'population',
  'latitude',
  'longitude',
] as const

const typedOf = (commune: Commune): Typed => ({
  nom: commune.nom,
  slug: commune.slug,
  code_insee: commune.code_insee,
  codes_postaux: commune.codes_postaux.join(', '),
  departement: commune.departement,
  region: commune.region,
  population: textOf(commune.population),
  latitude: textOf(commune.latitude),
  longitude: textOf(commune.longitude),
  mairie: commune.mairie && { id: commune.mairie.id, nom: commune.mairie.nom },
})
const textOf = (value: number | null) => (value === null ? '' : String(value))

function bodyOf(typed: Typed) {
  return {
    nom: typed.nom.trim(),
    slug: typed.slug.trim(),
    code_insee: typed.code_insee.trim(),
    codes_postaux: typed.codes_postaux.split(/[\s,;]+/).filter(Boolean),
    departement: typed.departement.trim(),
    region: typed.region.trim(),
    population: numberOf(typed.population),
    latitude: numberOf(typed.latitude),
    longitude: numberOf(typed.longitude),
    mairie_actor_id: typed.mairie?.id ?? null,
  }
}

/** Form of the name, codes, place and mairie of a commune. */
export function Identity({ commune }: { commune: Commune }) {
  const words = useTranslations('communes')
  const { me } = frame.useRouteContext()
  const saveCommune = useSaveCommune(commune.id)
  const draft = usePartDraft(`commune.${commune.id}.identity`, typedOf(commune))
  const { mine, base, put } = draft
  const [asked, setAsked] = useState<string | null>(null)
  const [isOpening, setIsOpening] = useState(false)
  const saving = useSubmit({
    mutationFn: () =>
      saveCommune((now) => {
        draft.requireBase(typedOf(now as Commune))
        const [before, after] = [bodyOf(base), bodyOf(mine)]
        const changed = Object.entries(after).filter(([key, value]) => !same(value, before[key as never]))
        return Object.fromEntries(changed)
      }),
    onSuccess: () => {
      draft.clear()
      showToast({ title: words('saved') })
    },
  })
  const save = () => {
    if (draft.isChanged && !draft.isBehind) saving.submit()
  }
  const field = (name: (typeof names)[number], more: { help?: string; isRequired?: boolean } = {}) => (
    <TextField
      label={words(`fields.${name}`)}
      value={mine[name]}
      onChange={(text) => put({ [name]: text })}
      error={messageFor(saving.error, (path) => path.split('.')[0] === name)}
      {...more}
    />
  )
  const mairies = useQuery(acteurChoices(asked ?? '', { type: ['mairie'] }))
  return (
    <>
      <Form isSaving={saving.isPending} className={styles.form} onSubmit={save}>
        <DraftConflict
          draft={draft}
          onChosen={() => setAsked(null)}
          linesOf={({ mairie, ...typed }) => [
            ...names.map((name) => [words(`fields.${name}`), typed[name]] as const),
            [words('fields.mairie'), mairie?.nom ?? ''],
          ]}
        />
        <div className={styles.columns}>
          {field('nom', { isRequired: true })}
          {field('slug', { isRequired: true, help: words('fields.slugHelp') })}
          {field('code_insee', { isRequired: true })}
          {field('codes_postaux', { help: words('fields.codesHelp') })}
          {field('departement', { isRequired: true })}
          {field('region', { isRequired: true })}
          {field('population')}
          <span />
          {field('latitude')}
          {field('longitude')}
        </div>
        <Combo
          label={words('fields.mairie')}
          help={words('fields.mairieHelp')}
          typed={asked ?? mine.mairie?.nom ?? ''}
          onType={setAsked}
          items={mairies.data ?? []}
          isSearching={mairies.isPending || mairies.isPlaceholderData}
          chosen={mine.mairie}
          onChoose={(item) => {
            setAsked(null)
            put({ mairie: item && { id: item.id, nom: item.nom } })
          }}
          error={messageFor(saving.error, 'mairie_actor_id')}
        />
        {commune.can.includes('mairie') && (
          <p>
            <Button icon="user" onPress={() => setIsOpening(true)}>
              {words(commune.mairie === null ? 'opening.start' : 'opening.startPresent')}
            </Button>
          </p>
        )}
        {commune.mairie && me.areas.includes('acteurs') && (
          <p>
            <Link to="/acteurs/$id" params={{ id: commune.mairie.id }}>
              {words('openMairie', { nom: commune.mairie.nom })}
            </Link>
          </p>
        )}
        <SaveBar
          isChanged={draft.isChanged}
          isPending={saving.isPending}
          error={saving.error}
          onDiscard={() => {
            draft.clear()
            setAsked(null)
            saving.reset()
          }}
        />
      </Form>
      {isOpening && <OpenMairie commune={commune} onClose={() => setIsOpening(false)} />}
    </>
  )
}
