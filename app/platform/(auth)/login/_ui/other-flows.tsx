'use client'

import { useTranslations } from 'next-intl'
import { LinkButton } from '@/components/ui/text-link'
import type { FlowId } from '@/lib/sign-in/attempts/contract'

/** The other open flows. */
export function OtherFlows({ flows, onSelect }: { flows: FlowId[]; onSelect: (flow: FlowId) => void }) {
  const t = useTranslations('entry.flows')
  if (flows.length === 0) return null
  return (
    <ul aria-label={t('label')} className="flex flex-wrap justify-between gap-x-6 gap-y-3">
      {flows.map((flow) => (
        <li key={flow}>
          <LinkButton onClick={() => onSelect(flow)} className="pointer-coarse:min-h-11">
            {t(flow)}
          </LinkButton>
        </li>
      ))}
    </ul>
  )
}
