import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Key } from '../../ui/key.tsx'
import { Row } from '../../ui/layout.tsx'
import type { Ground } from './queries.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'

type GroundsProps = {
  grounds: readonly Ground[]
  /** Code of the chosen one. */
  chosen: string | null
  onChoose: (code: string) => void
}

/** Grounds to choose from, each by a letter (see `groundShortcuts`). */
export function GroundList({ grounds, chosen, onChoose }: GroundsProps) {
  const words = useTranslations('reject')
  return (
    <fieldset aria-label={words('ground')}>
      <Row>
        {grounds.map(({ code, label }, index) => (
          <Button
            key={code}
            small
            look={code === chosen ? 'primary' : 'plain'}
            aria-pressed={code === chosen}
            onPress={() => onChoose(code)}
          >
            {index < letters.length && <Key>{letters[index]}</Key>} {label}
          </Button>
        ))}
      </Row>
    </fieldset>
  )
}

export const groundShortcuts = (grounds: readonly Ground[], choose: (code: string) => void) =>
  grounds.slice(0, letters.length).map(({ code, label }, index) => ({
    key: letters[index] ?? '',
    label,
    run: () => choose(code),
  }))
