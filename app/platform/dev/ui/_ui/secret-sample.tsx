'use client'

import { useTranslations } from 'next-intl'
import { PictureField } from '@/components/form/picture-field'
import { SecretField } from '@/components/form/secret-field'
import { Card } from '@/components/ui/card'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import { logoRule } from '@/lib/site/pictures/rule'
import { sampleDefinedCall } from './sample-contracts'

const read = async () => 'kV9wR2-tb51mZq8LxT0cYp4sNfGh7uJe3BaD6rWQx7e'
const load = async () => ({ replace: sampleDefinedCall, remove: sampleDefinedCall })

/** A secret in its states, and two secrets of which one replaces the other; below them the upload of a logo. */
export function SecretSample() {
  const t = useTranslations('gallery.secret')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 @min-[56rem]:grid-cols-2">
      <Card>
        <KeyValues>
          <KeyValue label={t('fresh')}>
            <SecretField what={t('fresh')} tail="Qx7e" read={read} />
          </KeyValue>
          <KeyValue label={t('previous')}>
            <span className="flex flex-wrap items-center gap-2">
              <SecretField what={t('previous')} tail="m2Kd" />
              <Pill tone="warning">{t('until')}</Pill>
            </span>
          </KeyValue>
          <KeyValue label={t('auditor')}>
            <SecretField what={t('auditor')} tail="Qx7e" />
          </KeyValue>
        </KeyValues>
      </Card>
      <Card>
        <PictureField
          title={t('logo')}
          picture={null}
          missing={null}
          load={load}
          params={{}}
          logo={{
            rule: logoRule,
            preview: (
              <span
                aria-hidden="true"
                className="grid size-16 place-items-center rounded-card bg-brand-tint text-brand"
              >
                {t('logo').slice(0, 1)}
              </span>
            ),
          }}
        />
      </Card>
    </div>
  )
}
