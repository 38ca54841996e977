import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { Alert } from '@/components/ui/alert'
import type { Ctx } from '@/lib/base/context/ctx'
import { pathOfScreen } from '@/lib/base/navigation/screens'
import { countSimilar } from '@/lib/companies/contractors/service'

/** Says how many possible duplicates a contractor has, and links to them. Renders nothing if there are none. */
export async function Similar({ ctx, id }: { ctx: Ctx; id: string }) {
  const [t, count] = await Promise.all([getTranslations('contractors'), countSimilar(ctx, id)])
  if (count === 0) return null
  return (
    <Alert tone="info" title={t('similar', { count })}>
      <p>{t('similarText')}</p>
      <p>
        <Link
          href={`${pathOfScreen('PlatformContractors')}?filter[similarTo]=${id}`}
          prefetch={false}
          className="rounded-[2px] text-brand underline underline-offset-4"
        >
          {t('similarShow')}
        </Link>
      </p>
    </Alert>
  )
}
