import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { wordsOf } from '@/lib/base/i18n/words'
import type { Act, Change, Names } from '@/lib/operations/history/contract'
import type { Step } from '@/lib/operations/history/nested'
import type { PlainDiff, Shown } from '@/lib/operations/history/shown'
import { DiffRow, DiffValue } from './diff-row'
import { nameIn, ShownValue, shortId } from './shown-value'

type Props = { change: Change; label: string; names: Names; act: Act['type'] }

/** How many items of a list, and places of a value, are shown at first. */
const most = 50

/** The old and the new value of one change: one row, or one row for each place at which a structured value differs. */
export function Difference({ change: { diff, member }, label, names, act }: Props) {
  const t = useTranslations('history.view')
  const name = (
    <>
      {label}
      {member ? <span className="block font-mono">{member}</span> : null}
    </>
  )
  if (diff.kind !== 'nested') return <OneDiff diff={diff} name={name} names={names} act={act} />
  const moreCount = diff.leaves.length - most
  return (
    <>
      {diff.leaves.slice(0, most).map(({ path, diff: leaf }, index) => (
        <OneDiff
          // biome-ignore lint/suspicious/noArrayIndexKey: places never move
          key={index}
          diff={leaf}
          name={<DifferencePath name={name} path={path} first={index === 0} names={names} />}
          names={names}
          act={act}
        />
      ))}
      {moreCount > 0 ? (
        <DiffRow label={name} note={t('andMore', { count: moreCount })} words={{ was: t('was'), is: t('is') }} />
      ) : null}
    </>
  )
}

/**
 * The place of a difference inside a field. Only the first place shows the field's name; screen readers get it every
 * time.
 */
function DifferencePath({
  name,
  path,
  first,
  names,
}: {
  name: ReactNode
  path: readonly Step[]
  first: boolean
  names: Names
}) {
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

/**
 * Returns a function that names one step of a path; a member without a text has its stored name, a step without a name
 * gives an empty text.
 */
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
        {shown.slice(0, most).map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items may be equal, and never move
          <DiffValue key={index} side={which}>
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
