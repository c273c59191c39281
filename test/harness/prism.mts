// Runs Stoplight Prism with the arguments that were given. It is installed into the user's cache folder, since it would
// be a seventh of what this project installs.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { installPackages, readRuntimeFile } from '../../n8n-full/install.mts';

const manifest = { private: true, dependencies: { '@stoplight/prism-cli': '5.16.0' } };
const files = { '.npmrc': readRuntimeFile('.npmrc'), 'package.json': JSON.stringify(manifest) };
const folder = await installPackages('prism', files, 'install', {});
const main = join(folder, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');

process.argv[1] = main;
await import(pathToFileURL(main).href);
