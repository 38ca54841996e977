import { useTranslations } from 'next-intl'
import { AddressText } from '@/components/ui/address-text'
import { User } from '@/components/ui/icons'
import { TextLink } from '@/components/ui/text-link'

/** Shows who is signing in, with a link back to the first step. */
export function SigningInAs({ identifier, back }: { identifier: string; back: string }) {
  const t = useTranslations()
  return (
    <div className="flex w-fit max-w-full items-center gap-2.5 rounded-[22px] border border-line bg-surface py-2 pr-4 pl-3.5 text-table xs:text-body">
      <User className="size-4 shrink-0 text-ink-second" />
      <p className="wrap-anywhere min-w-0 font-medium">
        <span className="sr-only">{t('entry.credentials.signingInAs')} </span>
        <AddressText>{identifier}</AddressText>
      </p>
      <TextLink
        href={back}
        className="inline-flex shrink-0 items-center pl-1 text-table pointer-coarse:-my-2 pointer-coarse:min-h-11"
      >
        {t('common.change')}
      </TextLink>
    </div>
  )
}
