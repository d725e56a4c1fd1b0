import { useTranslations } from 'use-intl'
import type { CommuneChoice } from '../../shell/choices/choices.ts'
import { CommuneList } from '../../shell/choices/commune-list.tsx'
import { Segmented } from '../../ui/choice.tsx'

type CommunesProps = {
  /** Null: everything public. */
  chosen: readonly CommuneChoice[] | null
  onChange: (chosen: CommuneChoice[] | null) => void
  error: string | null
}

/** Choice of the communes whose publications an application shows. */
export function Communes({ chosen, onChange, error }: CommunesProps) {
  const words = useTranslations('reference.sources')
  return (
    <>
      <Segmented
        label={words('shows')}
        value={chosen === null ? 'everything' : 'some'}
        onChange={(value) => onChange(value === 'some' ? [] : null)}
        options={[
          { value: 'everything', label: words('all') },
          { value: 'some', label: words('some') },
        ]}
      />
      {chosen !== null && (
        <CommuneList
          isRequired
          help={words('addCommuneHelp')}
          label={words('chosen')}
          chosen={chosen}
          onChange={onChange}
          error={error}
        />
      )}
    </>
  )
}
