// Linux ends an established connection with ECONNREFUSED when a firewall starts to reject its packets.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

/** A separate network namespace with its own firewall; some machines forbid that. */
const alone = ['--net', '--map-root-user'];
const canBeAlone = spawnSync('unshare', [...alone, '/usr/sbin/iptables', '-L']).status === 0;
const skip = !canBeAlone && 'this machine allows no network of its own, or has no iptables';

void test('a connection that is refused after it carried the request', { skip }, () => {
	const program = join(import.meta.dirname, 'rejected.mts');
	const printed = execFileSync('unshare', [...alone, process.execPath, program], {
		encoding: 'utf8',
	});
	assert.deepEqual(JSON.parse(printed), [{ outcome: 'inDoubt', times: 1 }]);
});
