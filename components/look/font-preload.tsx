import cyrillic from '@fontsource-variable/golos-text/files/golos-text-cyrillic-wght-normal.woff2' with {
  turbopackModuleType: 'asset',
}
import latin from '@fontsource-variable/golos-text/files/golos-text-latin-wght-normal.woff2' with {
  turbopackModuleType: 'asset',
}

/**
 * Loads the font's files together with the page and not after its styles. English pages don't load the Cyrillic file.
 */
export function FontPreload({ locale }: { locale: string }) {
  const files = locale === 'en' ? [latin] : [cyrillic, latin]
  return files.map((file) => <link key={file} rel="preload" as="font" type="font/woff2" crossOrigin="" href={file} />)
}
