/** Folders of `lib` need each other in one direction only. `db` is left out: its seed calls services. */
const { options } = require('./.dependency-cruiser.cjs')

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles-of-folders',
      comment: 'two folders that need each other are one, or share a third',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: `${options.exclude.path}|^db/|\\.generated\\.ts$` } },
}
