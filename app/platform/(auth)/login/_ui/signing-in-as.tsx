'use client'

import { useTranslations } from 'next-intl'
import { AddressText } from '@/components/ui/address-text'
import { User } from '@/components/ui/icons'
import { LinkButton } from '@/components/ui/text-link'

/** Shows who is signing in, with a button back to the id step. */
export function SigningInAs({ identifier, onChange }: { identifier: string; onChange: () => void }) {
  const t = useTranslations()
  return (
    <div className="flex w-fit max-w-full items-center gap-2.5 rounded-[22px] border border-line bg-surface py-2 pr-4 pl-3.5 text-table xs:text-body">
      <User className="size-4 shrink-0 text-ink-second" />
      <p className="wrap-anywhere min-w-0 font-medium">
        <span className="sr-only">{t('entry.credentials.signingInAs')} </span>
        <AddressText>{identifier}</AddressText>
      </p>
      <LinkButton onClick={onChange} className="shrink-0 pl-1 text-table pointer-coarse:-my-2 pointer-coarse:min-h-11">
        {t('common.change')}
      </LinkButton>
    </div>
  )
}
