import { getTranslations } from 'next-intl/server'
import { buttonClasses } from '@/components/ui/button-classes'
import type { Ctx } from '@/lib/base/context/ctx'
import { startAt } from '@/lib/identity-providers/connections/addresses'
import { offeredProviders } from '@/lib/identity-providers/connections/sign-in'

type Props = { ctx: Ctx; path: string | null; anew: boolean }

/** The identity providers through which people sign in on this domain. They are links: no script is needed. */
export async function ProviderLinks({ ctx, path, anew }: Props) {
  const [t, providers] = await Promise.all([getTranslations('provider-sign-in'), offeredProviders(ctx.domain.id)])
  if (providers.length === 0) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p aria-hidden="true" className="flex items-center gap-3 text-ink-second text-note">
        <span className="h-px grow bg-line" />
        {t('or')}
        <span className="h-px grow bg-line" />
      </p>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {providers.map(({ id, name }) => (
          <li key={id} className="grid">
            <a
              href={startAt(id, { path, anew: anew ? '1' : null })}
              className={buttonClasses({ variant: 'secondary', size: 'L' })}
            >
              <span className="wrap-anywhere min-w-0">{t('through', { name })}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
