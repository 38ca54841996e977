import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/text-link'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import { type Attempt, AttemptForm } from './attempt-form'

/** The other open flows. */
export function OtherFlows({ flows, attempt }: { flows: FlowId[]; attempt: Attempt }) {
  const t = useTranslations('entry.flows')
  if (flows.length === 0) return null
  return (
    <ul aria-label={t('label')} className="flex flex-wrap justify-between gap-x-6 gap-y-3">
      {flows.map((flow) => (
        <li key={flow}>
          <AttemptForm form="flow" attempt={attempt} flow={flow}>
            <LinkButton type="submit" className="pointer-coarse:min-h-11">
              {t(flow)}
            </LinkButton>
          </AttemptForm>
        </li>
      ))}
    </ul>
  )
}
