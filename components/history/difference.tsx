import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { wordsOf } from '@/lib/base/i18n/words'
import type { Act, Change, Names } from '@/lib/operations/history/contract'
import type { Step } from '@/lib/operations/history/nested'
import type { PlainDiff, Shown } from '@/lib/operations/history/shown'
import { DiffRow, DiffValue } from './diff-row'
import { nameIn, ShownValue, shortId } from './shown-value'

type Props = { change: Change; label: string; names: Names; act: Act['type'] }

/** Items of a list, and places of a value, that are shown at once. */
const most = 50

/** What one change was and is: a row, or a row for each place at which a value with members differs. */
export function Difference({ change: { diff, member }, label, names, act }: Props) {
  const t = useTranslations('history.view')
  const name = (
    <>
      {label}
      {member ? <span className="block font-mono">{member}</span> : null}
    </>
  )
  if (diff.kind !== 'nested') return <OneDiff diff={diff} name={name} names={names} act={act} />
  const more = diff.leaves.length - most
  return (
    <>
      {diff.leaves.slice(0, most).map(({ path, diff: leaf }, at) => (
        <OneDiff
          // biome-ignore lint/suspicious/noArrayIndexKey: places never move
          key={at}
          diff={leaf}
          name={<Place name={name} path={path} first={at === 0} names={names} />}
          names={names}
          act={act}
        />
      ))}
      {more > 0 ? (
        <DiffRow label={name} note={t('andMore', { count: more })} words={{ was: t('was'), is: t('is') }} />
      ) : null}
    </>
  )
}

/** Where in a field something differs; the field is named to the eye before its first place alone. */
function Place({ name, path, first, names }: { name: ReactNode; path: readonly Step[]; first: boolean; names: Names }) {
  const stepText = useStepText(names)
  const steps = path.map(stepText).filter((text) => text !== '')
  if (steps.length === 0) return name
  return (
    <>
      <span className={first ? 'block' : 'sr-only'}>{name} </span>
      <span className="text-ink">{steps.join(' · ')}</span>
    </>
  )
}

/** Returns a function that puts one step into words; a member without a name has its own, one that isn't named none. */
function useStepText(names: Names) {
  const t = useTranslations('history.view')
  const tAll = wordsOf(useTranslations())
  return (step: Step): string => {
    if (step.as === 'place') return t('place', { number: step.number })
    if (step.as === 'named') return nameIn(names, step.id) ?? shortId(step.id)
    const { label, name } = step
    if (label === '') return ''
    return label !== null && tAll.has(label) ? tAll(label) : name
  }
}

type OneProps = { diff: PlainDiff; name: ReactNode; names: Names; act: Act['type'] }

function OneDiff({ diff, name, names, act }: OneProps) {
  const t = useTranslations('history.view')
  const words = { was: t('was'), is: t('is') }
  if (diff.kind === 'secret') return <DiffRow label={name} note={t(`secret.${diff.act}`)} words={words} />
  if (diff.kind === 'value') {
    const side = (shown: Shown | null, which: 'previous' | 'current') =>
      shown ? (
        <DiffValue side={which}>
          <ShownValue shown={shown} names={names} />
        </DiffValue>
      ) : (
        <span className="text-ink-second">{t('none')}</span>
      )
    return (
      <DiffRow
        label={name}
        previous={act === 'create' ? null : side(diff.previous, 'previous')}
        current={act === 'delete' ? null : side(diff.current, 'current')}
        words={words}
      />
    )
  }
  if (diff.moved) return <DiffRow label={name} note={t('moved')} words={words} />
  const items = (shown: Shown[], which: 'previous' | 'current') =>
    shown.length === 0 ? null : (
      <>
        {shown.slice(0, most).map((each, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items may be equal, and never move
          <DiffValue key={at} side={which}>
            <ShownValue shown={each} names={names} />
          </DiffValue>
        ))}
        {shown.length > most ? (
          <span className="text-ink-second text-note">{t('andMore', { count: shown.length - most })}</span>
        ) : null}
      </>
    )
  return (
    <DiffRow
      label={
        <>
          {name}
          {diff.kept > 0 ? <span className="block">{t('kept', { count: diff.kept })}</span> : null}
        </>
      }
      previous={items(diff.removed, 'previous')}
      current={items(diff.added, 'current')}
      words={words}
    />
  )
}
